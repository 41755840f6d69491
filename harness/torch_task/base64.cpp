#include "torch_task/base64.hpp"

#include <algorithm>
#include <cstdint>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t digits_in_group = 4;
constexpr std::size_t bytes_in_group = 3;

std::uint32_t digit_value(char digit) {
  const std::size_t value = digits.find(digit);
  if (value != std::string_view::npos) return static_cast<std::uint32_t>(value);
  throw UserError(std::string("base64 text: '") + digit + "' is none of its 64 digits");
}

}  // namespace

std::string decode_base64(std::string_view text) {
  if (text.size() % digits_in_group != 0) {
    throw UserError("base64 text: " + std::to_string(text.size()) +
                    " digits, which is no multiple of 4");
  }
  const auto padding =
      static_cast<std::size_t>(text.ends_with("==") ? 2 : static_cast<int>(text.ends_with("=")));
  const std::string_view data = text.substr(0, text.size() - padding);
  std::string bytes;
  bytes.reserve(text.size() / digits_in_group * bytes_in_group);
  for (std::size_t i = 0; i < data.size(); i += digits_in_group) {
    const std::string_view group = data.substr(i, digits_in_group);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < digits_in_group; ++j) {
      bits = bits << 6 | (j < group.size() ? digit_value(group[j]) : 0);
    }
    for (std::size_t j = 0; j + 1 < group.size(); ++j) {
      bytes += static_cast<char>(bits >> (16 - 8 * j) & 0xFF);
    }
  }
  return bytes;
}

}  // namespace robust_kbench
