#include "process/machine_memory.hpp"

#include <sys/sysinfo.h>

#include "core/error.hpp"

namespace robust_kbench {

std::uint64_t machine_memory() {
  struct sysinfo facts {};
  require_call(sysinfo(&facts) == 0, "sysinfo");
  return std::uint64_t{facts.totalram} * facts.mem_unit;
}

}  // namespace robust_kbench
