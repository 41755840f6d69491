#include "process/file_view.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <string>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/descriptor.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

const char* const outside = "/.outside";

// A copy of Linux's struct mount_attr, since glibc's header and Linux's cannot be included
// together.
struct MountAttributes {
  std::uint64_t set;
  std::uint64_t clear;
  std::uint64_t propagation;
  std::uint64_t user_namespace;
};
constexpr std::uint64_t read_only = 0x1;
constexpr std::uint64_t no_set_user_id = 0x2;
constexpr unsigned with_all_below = 0x8000;  // AT_RECURSIVE

void set_attributes(const std::string& path, std::uint64_t attributes, unsigned how) {
  const MountAttributes wanted{
      .set = attributes, .clear = 0, .propagation = 0, .user_namespace = 0};
  require_call(
      syscall(SYS_mount_setattr, AT_FDCWD, path.c_str(), how, &wanted, sizeof(wanted)) == 0,
      "mount_setattr of " + path);
}

void make_directory(const std::string& path) {
  require_call(mkdir(path.c_str(), 0755) == 0 || errno == EEXIST, "mkdir " + path);
}

void mount_memory(const std::string& path, const std::string& options) {
  require_call(mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0,
               "mount a tmpfs at " + path);
}

// Mounts paths of the outer file system into the view.
class Placer {
 public:
  void place(const std::string& path, std::uint64_t attributes) {
    constexpr int most_links = 40;  // the kernel's own limit
    place(fs::path(path).lexically_normal(), attributes, most_links);
  }

 private:
  void place(const fs::path& path, std::uint64_t attributes, int links) {
    fs::path built = "/";
    for (auto part = ++path.begin(); part != path.end() && !part->empty(); ++part) {
      const fs::path next = built / *part;
      const fs::path source = outside + next.native();
      struct stat status {};
      if (lstat(source.c_str(), &status) != 0) return;
      if (S_ISLNK(status.st_mode)) {
        const fs::path target = fs::read_symlink(source);
        if (!is_placed(next)) {
          require_call(symlink(target.c_str(), next.c_str()) == 0 || errno == EEXIST,
                       "symlink " + next.native());
        }
        fs::path rest;
        for (auto after = std::next(part); after != path.end(); ++after) rest /= *after;
        if (links > 0) place((built / target / rest).lexically_normal(), attributes, links - 1);
        return;
      }
      built = next;
      if (is_placed(built)) continue;
      if (S_ISDIR(status.st_mode)) {
        make_directory(built);
      } else {
        const Descriptor file(open(built.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
        require_call(file.get() >= 0, "make " + built.native());
      }
    }
    bind(built, attributes);
  }

  void bind(const fs::path& path, std::uint64_t attributes) {
    if (path == "/") throw HarnessError("a link among a sandbox's paths leads to /");
    // A path below a readable directory is readable already.
    if ((attributes & read_only) != 0 && is_placed(path)) return;
    const std::string source = outside + path.native();
    require_call(mount(source.c_str(), path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0,
                 "bind " + path.native());
    set_attributes(path, attributes, with_all_below);
    m_placed.insert(path);
  }

  [[nodiscard]] bool is_placed(fs::path path) const {
    for (; path != "/"; path = path.parent_path()) {
      if (m_placed.contains(path)) return true;
    }
    return false;
  }

  std::set<fs::path> m_placed;
};

// These paths hold settings of the whole machine, not of the namespace.
void protect_kernel_settings() {
  for (const char* path :
       {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/fs", "/proc/bus"}) {
    if (access(path, F_OK) != 0) continue;
    require_call(mount(path, path, nullptr, MS_BIND | MS_REC, nullptr) == 0,
                 std::string("bind ") + path);
    set_attributes(path, read_only, with_all_below);
  }
}

}  // namespace

void enter_view(const SandboxPolicy& policy) {
  const std::vector<std::string> devices = device_paths(policy);  // while /dev is there
  require_call(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0,
               "make mounts private");
  const std::string& base = policy.writable.at(0);
  mount_memory(base, "size=1m,mode=755");
  make_directory(base + outside);
  require_call(syscall(SYS_pivot_root, base.c_str(), (base + outside).c_str()) == 0, "pivot_root");
  require_call(chdir("/") == 0, "chdir /");

  for (const char* directory : {"/proc", "/tmp", "/dev"}) make_directory(directory);
  if (policy.tool) mount_memory("/tmp", "mode=1777");
  Placer placer;
  for (const std::string& path : system_paths(policy.gpu)) {
    placer.place(path, read_only | no_set_user_id);
  }
  for (const std::string& path : policy.readable) placer.place(path, read_only | no_set_user_id);
  for (const std::string& path : devices) placer.place(path, no_set_user_id);
  for (const std::string& path : policy.writable) placer.place(path, no_set_user_id);
  if (policy.scratch_bytes > 0) {
    mount_memory(base, "mode=700,size=" + std::to_string(policy.scratch_bytes));
  }
  if (policy.gpu) {
    make_directory("/dev/shm");
    mount_memory("/dev/shm", "mode=1777");
  }
  for (const auto& [link, target] :
       {std::pair{"/dev/fd", "/proc/self/fd"}, std::pair{"/dev/stdout", "/proc/self/fd/1"},
        std::pair{"/dev/stderr", "/proc/self/fd/2"}}) {
    require_call(symlink(target, link) == 0, link);
  }
}

void close_view(bool with_proc) {
  if (with_proc) {
    require_call(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0,
                 "mount /proc");
    protect_kernel_settings();
  }
  require_call(umount2(outside, MNT_DETACH) == 0, "detach the outer file system");
  require_call(rmdir(outside) == 0, "remove its place");
  set_attributes("/", read_only, 0);
}

}  // namespace robust_kbench
