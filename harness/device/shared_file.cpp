#include "device/shared_file.hpp"

#include <array>
#include <fcntl.h>
#include <sys/stat.h>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"

namespace robust_kbench {

Descriptor open_shared_file(const std::string& path) {
  constexpr mode_t everyone = 0666;
  // In a sticky directory, opening another user's file with O_CREAT may be refused, so it is opened
  // without it first.
  int fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, everyone);
  if (fd < 0) {
    const HarnessError failure = system_failure(path + " cannot be opened");
    throw HarnessError(std::string(failure.what()) +
                       "; whoever uses the GPU must be able to read and write it: remove it, or "
                       "give it mode 666");
  }
  fchmod(fd, everyone);  // despite the umask; fails harmlessly for another user's file
  return Descriptor(fd);
}

bool is_still_at(int fd, const std::string& path) {
  struct stat opened {};
  struct stat there {};
  return fstat(fd, &opened) == 0 && stat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

std::string shared_file_of_gpu(const std::string& name) {
  std::array<char, 32> bus{};
  const CudaDriver& driver = cuda_driver_without_context();
  driver.check(driver.get_bus_id(bus.data(), static_cast<int>(bus.size()), 0),
               "cuDeviceGetPCIBusId");
  return std::string("/tmp/robust-kbench-") + bus.data() + "." + name;
}

}  // namespace robust_kbench
