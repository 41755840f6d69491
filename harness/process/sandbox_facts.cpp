#include "process/sandbox_facts.hpp"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "process/landlock.hpp"
#include "process/privileges.hpp"
#include "process/process_tree.hpp"
#include "process/spawn.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {
namespace {

void add(std::string& means, bool used, const char* name) {
  if (used) means += (means.empty() ? "" : ", ") + std::string(name);
}

// The status with which the process ends by itself, or killed at the limit.
int status_in_time(pid_t pid) {
  constexpr std::chrono::minutes limit{1};
  constexpr std::chrono::milliseconds pause{2};
  const auto deadline = std::chrono::steady_clock::now() + limit;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(pid, &status, WNOHANG)) == 0) {
    if (std::chrono::steady_clock::now() > deadline) kill(-pid, SIGKILL);
    std::this_thread::sleep_for(pause);
  }
  return ended == pid ? status : -1;
}

std::string or_none(const std::string& means) {
  return means.empty() ? "none" : means;
}

}  // namespace

bool succeeds_enclosed(const Enclosure& enclosure, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment) {
  try {
    const Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
    const Spawned spawned =
        spawn({.arguments = arguments,
               .environment = environment,
               .working_directory = enclosure.policy.writable.front(),
               .descriptors = {{nowhere.get(), STDOUT_FILENO}, {nowhere.get(), STDERR_FILENO}},
               .untrusted = true,
               .sandbox = enclosure});
    const int status = status_in_time(spawned.pid);
    unregister_child(spawned.pid);
    if (spawned.init > 0) {
      kill(spawned.init, SIGKILL);
      waitpid(spawned.init, nullptr, 0);
      unregister_child(spawned.init);
    }
    return status == 0;
  } catch (const HarnessError&) {
    return false;
  }
}

namespace {

SandboxFacts ask(const std::string& program) {
  if (!std::filesystem::exists(program)) return {};
  const TemporaryDirectory scratch("sandbox");
  const auto able = [&](const SandboxPolicy& policy) {
    Enclosure enclosure{program, policy};
    enclosure.policy.writable = {scratch.path()};
    return succeeds_enclosed(enclosure, {"--able"}, {});
  };
  const bool user = !may_make_namespaces();
  SandboxFacts facts{.user_namespace = user,
                     .network_namespace = true,
                     .view = true,
                     .process_namespace = true,
                     .landlock = landlock_version(),
                     .socket_filter = true};
  if (facts.landlock > 0 && able(sandbox_policy(Enclosed::worker, false, facts))) return facts;
  // Not all work together, so each is tried alone.
  if (facts.landlock > 0 && !able({.landlock = true})) facts.landlock = 0;
  facts.socket_filter = able({.socket_filter = true});
  facts.network_namespace = able({.user_namespace = user, .network_namespace = true});
  facts.view = able({.user_namespace = user, .view = true});
  facts.process_namespace = able({.user_namespace = user, .process_namespace = true, .view = true});
  return facts;
}

}  // namespace

std::string sandbox_beside(const std::string& program) {
  if (program.empty()) return {};
  const std::filesystem::path path = std::filesystem::path(program).parent_path() / "rkb_sandbox";
  return std::filesystem::exists(path) ? path.string() : std::string();
}

const SandboxFacts& sandbox_facts(const std::string& program) {
  static std::mutex mutex;
  static std::map<std::string, SandboxFacts> known;
  const std::scoped_lock lock(mutex);
  const auto found = known.find(program);
  return found != known.end() ? found->second : known.emplace(program, ask(program)).first->second;
}

SandboxPolicy sandbox_policy(Enclosed enclosed, bool gpu, const SandboxFacts& facts) {
  const bool compiler = enclosed == Enclosed::compiler;
  SandboxPolicy policy{.network_namespace = facts.network_namespace,
                       .process_namespace = facts.process_namespace && !compiler,
                       .landlock = facts.landlock > 0,
                       .gpu = gpu,
                       .tool = enclosed == Enclosed::tool};
  // A view has no /proc without a process namespace, which a compiler cannot have. So Landlock is
  // preferred for it.
  policy.view = compiler ? facts.view && !policy.landlock : policy.process_namespace;
  // A tool and the program below it talk over TCP.
  policy.socket_filter = facts.socket_filter && !policy.tool;
  // Workers on a GPU go without it, since it is unknown which of these calls the driver needs.
  policy.call_filter = facts.socket_filter && enclosed == Enclosed::worker && !gpu;
  policy.user_namespace =
      facts.user_namespace && (policy.network_namespace || policy.view || policy.process_namespace);
  return policy;
}

SandboxMeans sandbox_means(const SandboxPolicy& policy) {
  SandboxMeans means;
  add(means.network, policy.network_namespace, "namespace");
  add(means.network, policy.socket_filter, "seccomp");
  add(means.files, policy.view, "namespace");
  add(means.files, policy.landlock, "Landlock");
  add(means.processes, policy.process_namespace, "namespace");
  add(means.processes, policy.landlock, "Landlock");
  add(means.privileges, !policy.tool && (policy.view || policy.landlock || policy.socket_filter),
      "no capabilities");
  add(means.privileges, true, "no new privileges");
  return {.network = or_none(means.network),
          .files = or_none(means.files),
          .processes = or_none(means.processes),
          .privileges = means.privileges};
}

}  // namespace robust_kbench
