#include "core/host_name.hpp"

#include <array>
#include <unistd.h>

namespace robust_kbench {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace robust_kbench
