#include "evaluate/requirements.hpp"

#include <algorithm>
#include <filesystem>

#include "bench/baseline.hpp"
#include "bench/packages.hpp"
#include "compile/compile.hpp"
#include "core/build_command.hpp"
#include "core/own_command.hpp"
#include "core/own_config.hpp"
#include "core/shell_word.hpp"
#include "device/cuda_driver.hpp"
#include "tensor/torch_cuda.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::filesystem::path programs_of(const Toolchain& toolchain) {
  return std::filesystem::path(toolchain.worker).parent_path();
}

std::filesystem::path replayer_path(const Toolchain& toolchain) {
  return programs_of(toolchain) / "rkb_replayer";
}

// Packages for the CPU are made by a target of the build.
std::string command_for_linked(const Toolchain& toolchain, Device device) {
  const auto rkb_bench = programs_of(toolchain) / "rkb_bench";
  if (!std::filesystem::exists(rkb_bench)) {
    return "RobustKBench's own build, of whose targets rkb_bench is one that is not built here";
  }
  if (device == Device::cpu) return build_command(rkb_bench, "compile_packages");
  const auto script =
      sources_of_build(build_around(rkb_bench)) / "benchmarks/make_compile_packages.py";
  return fmt::format("{} {} --rkb-bench {} --device {}",
                     toolchain.python.empty() ? "python3" : path_word(toolchain.python),
                     path_word(script), path_word(rkb_bench), to_string(device));
}

// Names the package, since some imported tasks cannot be found by name.
std::string command_for_imported(const Task& task, const KernelSource& kernel, const Scope& scope) {
  std::string command = fmt::format("{} compile-baseline {} --direction {} --device {}",
                                    own_command(), path_word(task.package),
                                    to_string(kernel.entry.direction), to_string(kernel.device));
  for (const ConfigSet set : scope.sets) command += fmt::format(" --configs {}", to_string(set));
  for (const Config& config : scope.configs) {
    command += " --config " + shell_word(own_config_text(config.params, task.defaults));
  }
  return command;
}

}  // namespace

std::string skip_reason(const KernelSource& kernel, const Toolchain& toolchain) {
  if (kernel.device != Device::cuda) return {};
  const std::string compiler = missing_compiler(kernel, toolchain);
  const std::string& gpu = cuda_facts().missing;
  return compiler + (compiler.empty() || gpu.empty() ? "" : ", and ") + gpu;
}

std::string sanitize_skip_reason(const KernelSource& kernel, const Toolchain& toolchain,
                                 const Tool& compute_sanitizer) {
  if (kernel.device != Device::cuda) return "compute-sanitizer looks at CUDA kernels only";
  const std::string& missing = compute_sanitizer.missing;
  return missing.empty() ? skip_reason(kernel, toolchain) : "compute-sanitizer is " + missing;
}

std::string missing_packages(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                             const Scope& scope, const std::vector<std::string>& baselines) {
  const bool wanted =
      std::any_of(baselines.begin(), baselines.end(), [&](const std::string& baseline) {
        return parse_baseline(baseline, kernel.device).kind == Baseline::Kind::compile;
      });
  if (!wanted) return {};
  const std::vector<Config> configs =
      timed_configs(manifest, task, kernel.entry.direction, kernel.device, scope);
  const auto missing = std::count_if(configs.begin(), configs.end(), [&](const Config& config) {
    return !compile_package(manifest, task, kernel.entry.direction, kernel.device, config);
  });
  if (missing == 0) return {};
  return fmt::format(
      "{}: torch.compile is not timed on {} of {} configs, which have no package; they are made by "
      "{}",
      kernel.entry.name(), missing, configs.size(),
      task.package.empty() ? command_for_linked(manifest.toolchain, kernel.device)
                           : command_for_imported(task, kernel, scope));
}

void load_torch_for(const Manifest& manifest, const std::vector<KernelSource>& kernels) {
  const auto is_for_cuda = [](const KernelSource& kernel) { return kernel.device == Device::cuda; };
  const auto cuda = std::find_if(kernels.begin(), kernels.end(), is_for_cuda);
  if (cuda == kernels.end() || std::all_of(kernels.begin(), kernels.end(), is_for_cuda)) return;
  if (skip_reason(*cuda, manifest.toolchain).empty()) load_torch_cuda();
}

std::string missing_for_replay(const Toolchain& toolchain) {
  const auto recorder = programs_of(toolchain).parent_path() / "lib" / "recorder" / "libcuda.so.1";
  for (const std::filesystem::path& path : {replayer_path(toolchain), recorder}) {
    if (std::filesystem::exists(path)) continue;
    return "there is no " + path.string() +
           ", which replays kernels; build the target replay_programs";
  }
  return "";
}

std::string replayer_of(const Toolchain& toolchain) {
  const std::string missing = missing_for_replay(toolchain);
  if (missing.empty()) return replayer_path(toolchain);
  throw UserError(missing +
                  ", or ask for no replay (--judge in_process, and --set require_replay=false of "
                  "an evolution)");
}

}  // namespace robust_kbench
