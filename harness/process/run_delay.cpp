#include "process/run_delay.hpp"

#include <fstream>
#include <string>

namespace robust_kbench {
namespace {

// Reads the second of "<time run> <time waited> <time slices>".
std::uint64_t second_number(const std::string& path) {
  std::ifstream in(path);
  std::uint64_t run = 0;
  std::uint64_t waited = 0;
  in >> run >> waited;
  return in ? waited : 0;
}

}  // namespace

std::uint64_t run_delay_ns(pid_t process) {
  return second_number("/proc/" + std::to_string(process) + "/schedstat");
}

std::uint64_t run_delay_ns() {
  return second_number("/proc/thread-self/schedstat");
}

}  // namespace robust_kbench
