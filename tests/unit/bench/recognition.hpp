#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace robust_kbench {

// Imitates a kernel that stores its answers and recognises content that it has seen.
class Recognition {
 public:
  // Recognises content by a "fingerprint" of three elements, or by "windows" of two neighbours at
  // any place. Other ways are "prefix sums", which give the sum of every part of known content, and
  // "pointer".
  explicit Recognition(std::string by) : m_by(std::move(by)) {}

  // Whether a tensor of at least sum_length elements was known. Afterwards it is.
  bool knows(std::span<const float> elements) {
    const std::vector<std::uint64_t> keys = keys_of(elements);
    const bool known = m_keys.contains(keys.front());
    if (m_keys.size() < max_keys) m_keys.insert(keys.begin(), keys.end());
    return known;
  }

 private:
  static constexpr std::size_t sum_length = 16;
  static constexpr std::size_t max_keys = 100'000;  // more would take longer than the work

  // The first key identifies the content, and all keys are stored.
  [[nodiscard]] std::vector<std::uint64_t> keys_of(std::span<const float> elements) const {
    const auto bits = [&](std::size_t i) {
      return std::uint64_t{std::bit_cast<std::uint32_t>(elements[i])};
    };
    std::vector<std::uint64_t> keys;
    if (m_by == "fingerprint") {
      keys.push_back(bits(0) ^ (bits(elements.size() / 2) << 16) ^
                     (bits(elements.size() - 1) << 32));
    } else if (m_by == "pointer") {
      keys.push_back(reinterpret_cast<std::uint64_t>(elements.data()) ^ (bits(0) << 32));
    } else if (m_by == "windows") {
      for (std::size_t i = 0; i + 1 < elements.size(); ++i) {
        keys.push_back(bits(i) | bits(i + 1) << 32);
      }
    } else if (m_by == "prefix sums") {
      std::vector<double> sums{0};
      for (const float element : elements) sums.push_back(sums.back() + element);
      for (std::size_t i = 0; i + sum_length < sums.size(); ++i) {
        keys.push_back(
            static_cast<std::uint64_t>(std::llround(1e9 * (sums[i + sum_length] - sums[i]))));
      }
    }
    return keys;
  }

  std::string m_by;
  std::unordered_set<std::uint64_t> m_keys;
};

}  // namespace robust_kbench
