#include "evaluate/greatest_prime.hpp"

namespace robust_kbench {
namespace {

bool is_prime(std::int64_t n) {
  if (n < 2) return false;
  for (std::int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

}  // namespace

std::optional<std::int64_t> greatest_prime(std::int64_t low, std::int64_t high) {
  for (std::int64_t n = high; n >= low; --n) {
    if (is_prime(n)) return n;
  }
  return std::nullopt;
}

}  // namespace robust_kbench
