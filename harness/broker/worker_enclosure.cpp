#include "broker/worker_enclosure.hpp"

#include <cstdlib>
#include <filesystem>
#include <link.h>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "core/kernel_places.hpp"
#include "process/environment.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"

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

// The directories of this process's libraries, since the worker's operators need the same torch.
// Torch loads further libraries later, from beside itself and from `nvidia`.
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

// A GPU driver may fail under some of the restrictions, which only a trial shows. Each step lifts a
// further one.
SandboxPolicy narrowed(SandboxPolicy policy, int step) {
  if (step >= 1) policy.process_namespace = policy.view = false;
  if (step >= 2) policy.landlock = false;
  if (step >= 3) policy.network_namespace = false;
  if (step >= 4) policy.socket_filter = false;
  policy.user_namespace &= policy.network_namespace || policy.view || policy.process_namespace;
  return policy;
}

constexpr int narrowing_steps = 4;

void add_places_of_worker(const std::string& program, bool gpu, SandboxPolicy& policy) {
  const fs::path path = program;
  policy.readable = {program, path.parent_path().parent_path() / "lib"};
  for (const fs::path& libraries : library_directories()) policy.readable.push_back(libraries);
  if (gpu) add_listed("LD_LIBRARY_PATH", policy.readable);
}

// A kind of sandboxed process that uses a GPU, and the program that probes the GPU for it.
struct GpuUser {
  Enclosed enclosed = Enclosed::worker;
  std::string sandbox;
  std::string probe;
  std::string tool;  // path of the tool, for Enclosed::tool

  bool operator<(const GpuUser& other) const {
    return std::tie(enclosed, sandbox, probe, tool) <
           std::tie(other.enclosed, other.sandbox, other.probe, other.tool);
  }
};

// The first step in which the probe reaches its GPU. If no step helps, the restrictions are not at
// fault. Then none is lifted, and the worker reports what is wrong.
int find_gpu_step(const GpuUser& user) {
  SandboxPolicy whole = sandbox_policy(user.enclosed, true, sandbox_facts(user.sandbox));
  add_places_of_worker(user.probe, true, whole);
  const TemporaryDirectory scratch("sandbox");
  whole.writable = {scratch.path()};
  std::vector<std::string> environment =
      named_variables({"PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"});
  environment.push_back("HOME=" + scratch.path().string());
  environment.push_back("TMPDIR=" + scratch.path().string());
  std::vector<std::string> arguments{user.probe, "--probe-gpu"};
  if (!user.tool.empty()) {
    arguments.insert(arguments.begin(), user.tool);
    whole.readable.push_back(installation_place(user.tool));
  }
  for (int step = 0; step <= narrowing_steps; ++step) {
    if (succeeds_enclosed({user.sandbox, narrowed(whole, step)}, arguments, environment)) {
      return step;
    }
  }
  return 0;
}

// The cached result of find_gpu_step(), which takes long.
int gpu_step(const GpuUser& user) {
  static std::mutex mutex;
  static std::map<GpuUser, int> known;
  const std::scoped_lock lock(mutex);
  const auto found = known.find(user);
  return found != known.end() ? found->second
                              : known.emplace(user, find_gpu_step(user)).first->second;
}

// The policy without paths. With a GPU, it has only the restrictions under which the driver works.
SandboxPolicy policy_of(bool gpu, const GpuUser& user) {
  const SandboxPolicy policy = sandbox_policy(user.enclosed, gpu, sandbox_facts(user.sandbox));
  return gpu && !user.sandbox.empty() ? narrowed(policy, gpu_step(user)) : policy;
}

GpuUser worker_below(const std::string& tool, const std::string& sandbox,
                     const std::string& probe) {
  return {tool.empty() ? Enclosed::worker : Enclosed::tool, sandbox, probe, tool};
}

}  // namespace

std::optional<Enclosure> worker_enclosure(const WorkerOptions& options,
                                          const std::string& directory) {
  if (options.sandbox.empty()) return std::nullopt;
  const std::string tool = options.tool.empty() ? "" : options.tool.front();
  const std::string& probe = options.gpu_probe.empty() ? options.program : options.gpu_probe;
  SandboxPolicy policy = policy_of(options.gpu, worker_below(tool, options.sandbox, probe));
  add_places_of_worker(options.program, options.gpu, policy);
  policy.writable = {directory};
  if (tool.empty()) policy.scratch_bytes = options.limits.scratch_bytes;
  policy.writable.insert(policy.writable.end(), options.writable.begin(), options.writable.end());
  if (!tool.empty()) policy.readable.push_back(installation_place(tool));
  policy.readable.insert(policy.readable.end(), options.readable.begin(), options.readable.end());
  return Enclosure{options.sandbox, std::move(policy)};
}

SandboxMeans worker_means(const Toolchain& toolchain, bool gpu, const std::string& tool) {
  const std::string sandbox = sandbox_beside(toolchain.worker);
  return sandbox_means(policy_of(gpu, worker_below(tool, sandbox, toolchain.worker)));
}

SandboxPolicy compiler_policy(const std::string& worker, bool gpu) {
  SandboxPolicy policy =
      policy_of(gpu, {Enclosed::compiler, sandbox_beside(worker), worker, /*tool=*/""});
  if (gpu) add_listed("LD_LIBRARY_PATH", policy.readable);
  return policy;
}

}  // namespace robust_kbench
