#include "device/gpu_lock.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

int open_file(const std::string& path) {
  // A file of another user in a sticky directory may be opened, but not created again.
  int fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, everyone);
  if (fd < 0) {
    throw HarnessError("the GPU's lock " + path + " cannot be opened: " + std::strerror(errno));
  }
  fchmod(fd, everyone);  // past the umask; fails for another user's file, which is open already
  return fd;
}

void wait_for(int fd, int operation) {
  while (flock(fd, operation) != 0) {
    if (errno == EINTR) continue;
    throw HarnessError(std::string("the GPU's lock: ") + std::strerror(errno));
  }
}

}  // namespace

// Through the gate one by one: who wants to time stays in it until the last tester is gone, so that
// no new one passes.
GpuLock::GpuLock(Use use) {
  const int gate = open_file(lock_path("gate"));
  wait_for(gate, LOCK_EX);
  m_fd = open_file(lock_path("use"));
  wait_for(m_fd, use == Use::time ? LOCK_EX : LOCK_SH);
  close(gate);
}

GpuLock::~GpuLock() {
  close(m_fd);
}

}  // namespace robust_kbench
