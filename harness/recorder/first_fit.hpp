#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace robust_kbench::recorder {

// Hands out parts of a range, the first that fits. So a program that takes and gives back the same
// in each call gets the same addresses in each. What is given back stays taken until settle(),
// since work on the GPU may still use it.
class FirstFit {
 public:
  explicit FirstFit(std::uint64_t bytes) : m_bytes(bytes) {}

  // The offset of new memory, aligned to 512 bytes. Nothing if no part is large enough.
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  // False if nothing begins at this offset.
  bool give(std::uint64_t offset);
  // Makes what was given back usable again.
  void settle();
  // The end of the last part that was ever taken.
  [[nodiscard]] std::uint64_t most() const { return m_most; }

 private:
  std::uint64_t m_bytes;
  std::uint64_t m_most = 0;
  std::map<std::uint64_t, std::uint64_t> m_taken;  // offset to end
  std::vector<std::uint64_t> m_given;
};

}  // namespace robust_kbench::recorder
