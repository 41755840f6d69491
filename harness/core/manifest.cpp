#include "core/manifest.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "core/build_command.hpp"
#include "core/coverage.hpp"
#include "core/error.hpp"
#include "core/find_program.hpp"
#include "core/kernel_source_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json parse_file(const fs::path& path, const std::string& what) {
  std::ifstream in(path);
  if (!in || fs::is_directory(path))
    throw UserError(what + " " + path.string() + " cannot be read");
  try {
    return json::parse(in, nullptr, true, /*ignore_comments=*/true);
  } catch (const json::parse_error& error) {
    throw UserError(what + " " + path.string() + " is no JSON: " + error.what());
  }
}

// Makes the paths of an installation absolute, which are relative to its manifest.
void resolve_paths(json& value, const fs::path& directory) {
  if (value.is_structured()) {
    for (json& member : value) resolve_paths(member, directory);
  } else if (value.is_string()) {
    const auto text = value.get<std::string>();
    if (text.starts_with("./") || text.starts_with("../")) {
      value = (directory / text).lexically_normal().string();
    }
  }
}

// An installation may be on another machine than its build was, which had more programs. It names a
// program without a directory to have it looked for.
std::string where_it_exists(const std::string& program) {
  if (program.empty() || fs::path(program).has_parent_path()) {
    return fs::exists(program) ? program : std::string();
  }
  std::vector<fs::path> directories = search_path();
  directories.emplace_back(usual_cuda_programs);
  return find_program(program, directories);
}

TorchToolchain torch_toolchain_from(const json& j) {
  return {j.at("kernel_include"), j.at("shim"),           j.at("include_directories"),
          j.at("libraries"),      j.at("cuda_libraries"), j.at("library_directories")};
}

Toolchain toolchain_from(const json& j) {
  return {j.at("cxx"),
          where_it_exists(j.at("nvcc")),
          j.at("kernel_include"),
          j.at("shim"),
          j.at("worker"),
          j.at("baseline_command"),
          where_it_exists(j.at("python")),
          j.at("compile_packages"),
          torch_toolchain_from(j.at("torch"))};
}

}  // namespace

std::string entry_point_of(const KernelSource& kernel) {
  if (!kernel.entry_point.empty()) return kernel.entry_point;
  return std::string(to_string(kernel.entry.direction));
}

const TaskDirectory* Manifest::find_task(const std::string& name) const {
  const auto found = std::ranges::find(tasks, name, &TaskDirectory::name);
  return found == tasks.end() ? nullptr : &*found;
}

const TaskDirectory& Manifest::task(const std::string& name) const {
  if (const TaskDirectory* found = find_task(name)) return *found;
  std::string known;
  for (const TaskDirectory& task : tasks) known += (known.empty() ? "" : ", ") + task.name;
  throw UserError("task '" + name + "' does not exist; known: " + known);
}

std::vector<KernelSource> Manifest::kernels_of(const Entry& entry, Device device) const {
  std::vector<KernelSource> found;
  for (const KernelSource& kernel : kernels) {
    if (kernel.entry == entry && kernel.device == device) found.push_back(kernel);
  }
  return found;
}

std::optional<KernelSource> Manifest::plain_kernel(const Entry& entry, Device device) const {
  const TaskDirectory* const directory = find_task(entry.task);
  if (directory == nullptr) return std::nullopt;
  const std::string extension = device == Device::cuda ? ".cu" : ".cpp";
  const std::string path =
      fs::path(directory->directory) / (std::string(to_string(entry.direction)) + extension);
  const bool of_build = std::ranges::any_of(kernels, [&](const KernelSource& kernel) {
    return std::ranges::find(kernel.sources, path) != kernel.sources.end();
  });
  if (of_build || !fs::is_regular_file(path)) return std::nullopt;
  return KernelSource{.entry = entry,
                      .name = "plain_" + std::string(to_string(device)),
                      .device = device,
                      .sources = {path},
                      .fast_math = directory->fast_math,
                      .coverage = directory->coverage};
}

Manifest load_manifest(const fs::path& path) {
  json file = parse_file(path, "manifest");
  resolve_paths(file, fs::absolute(path).parent_path());
  Manifest manifest{.path = path.string()};
  try {
    manifest.toolchain = toolchain_from(file.at("toolchain"));
    for (const json& task : file.at("tasks")) {
      manifest.tasks.push_back({task.at("name"), task.at("directory"), task.at("fast_math"),
                                parse_coverage(task.at("scope").get<std::string>()),
                                task.value("package", "")});
    }
    file.at("kernels").get_to(manifest.kernels);
  } catch (const json::exception& error) {
    throw UserError("manifest " + path.string() + " is malformed: " + error.what() +
                    "; configure the build again: " + configure_command(path));
  }
  return manifest;
}

fs::path default_manifest() {
  if (const char* set = std::getenv("ROBUST_KBENCH_MANIFEST")) return set;
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share/robust_kbench" /
         "manifest.json";
}

fs::path manifest_file(const std::string& given) {
  return fs::absolute(given.empty() ? default_manifest() : fs::path(given));
}

json load_config_file(const TaskDirectory& task, Direction direction) {
  const fs::path path =
      fs::path(task.directory) / ("config_" + std::string(to_string(direction)) + ".json");
  return parse_file(path, "config file");
}

}  // namespace robust_kbench
