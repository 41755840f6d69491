#include "process/landlock.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/descriptor.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

// Linux's interface, declared here since installed headers may be older than the running kernel.
struct RulesetAttributes {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};
struct [[gnu::packed]] PathAttributes {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};
constexpr int rule_path_beneath = 1;
constexpr unsigned ask_version = 1;
constexpr std::uint64_t execute = 1U << 0;
constexpr std::uint64_t write_file = 1U << 1;
constexpr std::uint64_t read_file = 1U << 2;
constexpr std::uint64_t read_directory = 1U << 3;
constexpr std::uint64_t truncate_file = 1U << 14;
constexpr std::uint64_t device_ioctl = 1U << 15;
constexpr std::uint64_t scope_signals_and_abstract_sockets = 3;

constexpr std::uint64_t reading = execute | read_file | read_directory;
// The rights that fopen(path, "w") needs on an existing file.
constexpr std::uint64_t rewriting = reading | write_file | truncate_file;
constexpr std::uint64_t of_files = execute | write_file | read_file | truncate_file | device_ioctl;

// All rights that a version of Landlock has.
std::uint64_t rights_of(int version) {
  int bits = 13;
  if (version >= 2) bits = 14;  // move between directories
  if (version >= 3) bits = 15;  // truncate
  if (version >= 5) bits = 16;  // ioctl of devices
  return (std::uint64_t{1} << bits) - 1;
}

class Ruleset {
 public:
  explicit Ruleset(int version) : m_handled(rights_of(version)) {
    const RulesetAttributes attributes{
        .handled_access_fs = m_handled,
        .handled_access_net = 0,
        .scoped = version >= 6 ? scope_signals_and_abstract_sockets : 0};
    m_fd = Descriptor(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0)));
    if (m_fd.get() < 0) throw system_failure("landlock_create_ruleset");
  }

  // Does nothing if there is no such path.
  void allow(const std::string& path, std::uint64_t rights) const {
    const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (place.get() < 0 || fstat(place.get(), &status) != 0) return;
    if (!S_ISDIR(status.st_mode)) rights &= of_files;
    const PathAttributes rule{.allowed_access = rights & m_handled, .parent_fd = place.get()};
    if (syscall(SYS_landlock_add_rule, m_fd.get(), rule_path_beneath, &rule, 0) != 0) {
      throw system_failure("landlock_add_rule for " + path);
    }
  }

  void allow_all_of(const std::string& path) const { allow(path, m_handled); }

  void enforce() const {
    if (syscall(SYS_landlock_restrict_self, m_fd.get(), 0) != 0) {
      throw system_failure("landlock_restrict_self");
    }
  }

 private:
  std::uint64_t m_handled;
  Descriptor m_fd;
};

void allow_processes(const Ruleset& ruleset, const SandboxPolicy& policy) {
  // A GPU's driver names its threads by writing to /proc/self/task/N/comm, and cuInit fails if it
  // cannot. Below a tool, the process that does so has not started yet, so all of /proc may be
  // written to. Its namespace has no outside process, and the kernel's settings are mounted
  // read-only there.
  if (policy.gpu && !policy.tool) ruleset.allow("/proc/self", rewriting);
  // A tool inspects the processes that it starts. It cannot read the memory or the environment of
  // other processes.
  if (policy.process_namespace || policy.tool) {
    const bool names_threads = policy.gpu && policy.tool && policy.process_namespace;
    ruleset.allow("/proc", names_threads ? rewriting : reading);
    return;
  }
  for (const char* path :
       {"/proc/self", "/proc/cpuinfo", "/proc/devices", "/proc/driver", "/proc/filesystems",
        "/proc/meminfo", "/proc/modules", "/proc/stat", "/proc/sys", "/proc/version"}) {
    ruleset.allow(path, reading);
  }
}

}  // namespace

int landlock_version() {
  const auto version = syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version);
  return version > 0 ? static_cast<int>(version) : 0;
}

void restrict_files(const SandboxPolicy& policy) {
  const Ruleset ruleset(landlock_version());
  for (const std::string& path : system_paths(policy.gpu)) ruleset.allow(path, reading);
  for (const std::string& path : policy.readable) ruleset.allow(path, reading);
  for (const std::string& path : device_paths(policy)) {
    ruleset.allow(path, read_file | read_directory | write_file | device_ioctl);
  }
  allow_processes(ruleset, policy);
  for (const std::string& path : policy.writable) ruleset.allow_all_of(path);
  if (policy.gpu) ruleset.allow_all_of("/dev/shm");
  if (policy.tool && policy.view) ruleset.allow_all_of("/tmp");  // else it is shared
  ruleset.enforce();
}

}  // namespace robust_kbench
