#include "device/gpu_lock.hpp"

#include <cerrno>
#include <chrono>
#include <string>
#include <sys/file.h>
#include <thread>

#include "core/error.hpp"
#include "device/shared_file.hpp"

namespace robust_kbench {
namespace {

// The wait is limited: a kernel under test may itself hold the lock while its worker is stopped.
void wait_for(int fd, int operation, const std::string& path) {
  constexpr std::chrono::minutes wait_limit{15};
  // Each poll wakes a processor, which is slow on a virtual machine, and eight testers may wait at
  // a time.
  constexpr std::chrono::milliseconds pause{2};
  const auto deadline = std::chrono::steady_clock::now() + wait_limit;
  while (flock(fd, operation | LOCK_NB) != 0) {
    if (errno != EINTR && errno != EWOULDBLOCK) {
      throw system_failure("the GPU's lock " + path);
    }
    if (std::chrono::steady_clock::now() > deadline) {
      throw HarnessError("the GPU's lock " + path + " has been held for " +
                         std::to_string(wait_limit.count()) +
                         " minutes; /proc/locks says by which process, end that");
    }
    std::this_thread::sleep_for(pause);
  }
}

// The file is locked again if a kernel has removed it, since other processes then lock a new one.
Descriptor lock(const char* name, int operation) {
  const std::string path = shared_file_of_gpu(name);
  while (true) {
    Descriptor file = open_shared_file(path);
    wait_for(file.get(), operation, path);
    if (is_still_at(file.get(), path)) return file;
  }
}

}  // namespace

// Every process takes the gate, one by one. A process that wants to time holds it until the last
// tester is gone, so that no new one passes.
GpuLock::GpuLock(Use use) {
  const Descriptor gate = lock("gate", LOCK_EX);
  m_lock = lock("use", use == Use::exclusive ? LOCK_EX : LOCK_SH);
}

}  // namespace robust_kbench
