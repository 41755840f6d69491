#include "device/gpu_lock.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

// Every user's: the GPU is the machine's.
constexpr mode_t everyone = 0666;

// "/tmp/robust-kbench-0000:17:00.0.gate": the same GPU has other numbers in other processes.
std::string lock_path(const char* name) {
  std::array<char, 32> bus{};
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.get_bus_id(bus.data(), static_cast<int>(bus.size()), 0),
               "cuDeviceGetPCIBusId");
  return std::string("/tmp/robust-kbench-") + bus.data() + "." + name;
}

Descriptor open_file(const std::string& path) {
  // A file of another user in a sticky directory may be opened, but not created again.
  int fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, everyone);
  if (fd < 0) {
    throw system_failure("the GPU's lock " + path + " cannot be opened");
  }
  fchmod(fd, everyone);  // past the umask; fails for another user's file, which is open already
  return Descriptor(fd);
}

// Not for ever: a kernel under test may hold the lock itself, whose worker is stopped meanwhile.
void wait_for(int fd, int operation, const std::string& path) {
  constexpr std::chrono::minutes patience{15};
  // Eight testers wait at a time, and a virtual machine's processor takes long to wake up.
  constexpr std::chrono::milliseconds pause{2};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (flock(fd, operation | LOCK_NB) != 0) {
    if (errno != EINTR && errno != EWOULDBLOCK) {
      throw system_failure("the GPU's lock " + path);
    }
    if (std::chrono::steady_clock::now() > deadline) {
      throw HarnessError("the GPU's lock " + path + " has been held for " +
                         std::to_string(patience.count()) +
                         " minutes; /proc/locks says by which process, end that");
    }
    std::this_thread::sleep_for(pause);
  }
}

// A kernel may have removed the file, and others made a new one since.
bool is_still_at(int fd, const std::string& path) {
  struct stat locked {};
  struct stat there {};
  return fstat(fd, &locked) == 0 && stat(path.c_str(), &there) == 0 &&
         locked.st_dev == there.st_dev && locked.st_ino == there.st_ino;
}

Descriptor lock(const char* name, int operation) {
  const std::string path = lock_path(name);
  while (true) {
    Descriptor file = open_file(path);
    wait_for(file.get(), operation, path);
    if (is_still_at(file.get(), path)) return file;
  }
}

}  // namespace

// Through the gate one by one: who wants to time stays in it until the last tester is gone, so that
// no new one passes.
GpuLock::GpuLock(Use use) {
  const Descriptor gate = lock("gate", LOCK_EX);
  m_lock = lock("use", use == Use::time ? LOCK_EX : LOCK_SH);
}

}  // namespace robust_kbench
