#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/byte_range.hpp"

namespace robust_kbench {

// A memfd at an address of this process.
class HostMapping {
 public:
  // Throws HarnessError.
  HostMapping(int fd, std::size_t bytes);

  HostMapping(HostMapping&& other) noexcept;
  HostMapping& operator=(HostMapping&& other) noexcept;
  HostMapping(const HostMapping&) = delete;
  HostMapping& operator=(const HostMapping&) = delete;
  ~HostMapping();

  [[nodiscard]] std::byte* data() const { return m_data; }

  // Populates the pages of `range`, so that the first access causes no page fault.
  void populate(ByteRange range);

  // Maps the memfd `fd` at another address. The old address loses it, except for copies of the
  // ranges `kept`. These copies are private memory until unmap() frees them. Returns them, in whole
  // pages. Throws HarnessError.
  std::vector<std::span<std::byte>> move_away(int fd, const std::vector<ByteRange>& kept);
  static void unmap(std::span<std::byte> kept);

 private:
  std::byte* m_data = nullptr;
  std::size_t m_bytes = 0;
  ByteRange m_populated{};
};

}  // namespace robust_kbench
