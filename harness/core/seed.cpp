#include "core/seed.hpp"

#include <string>
#include <sys/random.h>

#include "core/error.hpp"

namespace robust_kbench {

std::uint64_t secret_key() {
  std::uint64_t key = 0;
  if (getrandom(&key, sizeof key, 0) != static_cast<ssize_t>(sizeof key)) {
    throw system_failure("getrandom");
  }
  return key;
}

}  // namespace robust_kbench
