#include "evaluate/suite.hpp"

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "evaluate/source_options.hpp"
#include "evaluate/task_directory.hpp"
#include "tensor/workload.hpp"
#include "torch_task/imported_tasks.hpp"

namespace robust_kbench {
namespace fs = std::filesystem;

Suite::Suite(TaskRegistry& tasks, const std::string& manifest_path)
    : m_tasks(tasks),
      m_manifest(
          load_manifest(manifest_path.empty() ? default_manifest() : fs::path(manifest_path))) {
  m_tasks.look_further(imported_tasks(m_manifest.tasks));
}

const Task& Suite::task(const std::string& name) const {
  return m_tasks.find(name);
}

std::vector<KernelSource> Suite::kernels(const std::string& task, const std::string& direction,
                                         const std::string& name) const {
  // Kernels are found by the task's name. A task outside the manifest may be given by its path.
  const bool of_manifest =
      std::ranges::any_of(m_manifest.kernels, [&](const auto& k) { return k.entry.task == task; });
  const std::string task_name = task.empty() || of_manifest ? task : this->task(task).name;
  if (!direction.empty()) (void)parse_direction(direction);
  const auto matches = [](const std::string& filter, std::string_view value) {
    return filter.empty() || filter == value;
  };
  std::vector<KernelSource> found;
  std::string known;
  std::vector<std::string_view> names;
  for (const KernelSource& kernel : m_manifest.kernels) {
    if (!matches(task_name, kernel.entry.task)) continue;
    if (!matches(direction, to_string(kernel.entry.direction))) continue;
    known += "\n  " + kernel.entry.name() + "." + kernel.name;
    names.push_back(kernel.name);
    if (matches(name, kernel.name)) found.push_back(kernel);
  }
  if (found.empty()) {
    throw UserError("no kernel matches '" + name + "'" + did_you_mean(name, names) +
                    " known here:" + (known.empty() ? " none" : known));
  }
  return found;
}

KernelSource Suite::source_file(const std::string& device, const std::string& source) {
  check_source_file(source);
  const fs::path path = fs::absolute(source);
  const bool cuda = path.extension() == ".cu";
  KernelSource kernel;
  kernel.name = path.stem().string();
  kernel.device = cuda ? Device::cuda : Device::cpu;
  if (!device.empty()) kernel.device = parse_device(device);
  kernel.sources = {path.string()};
  if (fs::path(source).is_relative()) kernel.named_in = fs::current_path().string();
  return kernel;
}

KernelSource Suite::loose_kernel(const std::string& task, const std::string& direction,
                                 const std::string& device, const std::string& source) const {
  KernelSource kernel = source_file(device, source);
  kernel.entry = {this->task(task).name, parse_direction(direction)};
  (void)contract(this->task(task), kernel.entry.direction);
  const TaskDirectory directory = directory_of(m_manifest, this->task(task));
  kernel.fast_math = directory.fast_math;
  kernel.coverage = directory.coverage;
  return kernel;
}

}  // namespace robust_kbench
