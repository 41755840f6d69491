#include "broker/worker_enclosure.hpp"

#include <cstdlib>
#include <filesystem>
#include <link.h>
#include <set>
#include <sstream>
#include <vector>

#include "core/kernel_places.hpp"
#include "process/sandbox_facts.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

int add_directory_of(dl_phdr_info* library, std::size_t, void* directories) {
  const fs::path path = library->dlpi_name;
  if (path.is_absolute()) {
    static_cast<std::set<fs::path>*>(directories)->insert(path.parent_path());
  }
  return 0;
}

// The worker's operators need the same torch. What torch itself loads later lies beside it.
std::set<fs::path> library_directories() {
  std::set<fs::path> directories;
  dl_iterate_phdr(add_directory_of, &directories);
  std::set<fs::path> all = directories;
  for (const fs::path& directory : directories) {
    if (directory.filename() != "lib" || directory.parent_path().filename() != "torch") continue;
    all.insert(directory.parent_path().parent_path() / "nvidia");
  }
  return all;
}

void add_listed(const char* variable, std::vector<std::string>& paths) {
  const char* value = std::getenv(variable);
  std::istringstream list(value == nullptr ? "" : value);
  for (std::string path; std::getline(list, path, ':');) {
    if (path.starts_with("/")) paths.push_back(path);
  }
}

}  // namespace

std::optional<Enclosure> worker_enclosure(const WorkerOptions& options,
                                          const std::string& directory) {
  if (options.sandbox.empty()) return std::nullopt;
  const bool tool = !options.tool.empty();
  SandboxPolicy policy = sandbox_policy(tool ? Enclosed::tool : Enclosed::worker, options.gpu,
                                        sandbox_facts(options.sandbox));
  policy.writable = {directory};
  policy.writable.insert(policy.writable.end(), options.writable.begin(), options.writable.end());
  const fs::path program = options.program;
  policy.readable = {program, program.parent_path().parent_path() / "lib"};
  for (const fs::path& libraries : library_directories()) policy.readable.push_back(libraries);
  if (tool) policy.readable.push_back(installation_place(options.tool.front()));
  if (options.gpu) add_listed("LD_LIBRARY_PATH", policy.readable);
  policy.readable.insert(policy.readable.end(), options.readable.begin(), options.readable.end());
  return Enclosure{options.sandbox, std::move(policy)};
}

SandboxMeans worker_means(const Toolchain& toolchain, bool gpu) {
  const SandboxFacts& facts = sandbox_facts(sandbox_beside(toolchain.worker));
  return sandbox_means(sandbox_policy(Enclosed::worker, gpu, facts));
}

}  // namespace robust_kbench
