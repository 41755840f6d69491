#include "core/seed.hpp"

#include <string>
#include <sys/random.h>

#include "core/error.hpp"
#include "core/sha256.hpp"

namespace robust_kbench {

std::uint64_t derived_key(std::uint64_t key, std::string_view purpose, std::uint64_t number) {
  constexpr std::size_t digits = 16;
  const std::string message = std::to_string(number) + " " + std::string(purpose);
  return std::stoull(hmac_sha256(std::to_string(key), message).substr(0, digits), nullptr, 16);
}

std::uint64_t tensor_key(std::string_view task, std::string_view tensor, std::uint64_t seed) {
  return derived_key(seed, "tensor " + std::string(tensor) + " of " + std::string(task));
}

std::uint64_t secret_key() {
  std::uint64_t key = 0;
  if (getrandom(&key, sizeof key, 0) != static_cast<ssize_t>(sizeof key)) {
    throw system_failure("getrandom");
  }
  return key;
}

}  // namespace robust_kbench
