#pragma once

#include <cstdint>
#include <optional>

#include "recorder/first_fit.hpp"
#include "recording/address_space.hpp"

namespace robust_kbench::recorder {

// The kernel's own memory on the GPU, mapped at an address that a replay has, too. The log guards
// it.
class Scratch {
 public:
  // The address of new memory. Nothing where the GPU has none, or where the addresses are taken.
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  bool give(std::uint64_t address);
  void settle() { m_parts.settle(); }

  [[nodiscard]] std::uint64_t most() const { return m_parts.most(); }
  // The offset of an address in memory that was ever taken.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::uint64_t address) const;

 private:
  bool map_until(std::uint64_t end);

  FirstFit m_parts{scratch_reserved_bytes};
  bool m_is_reserved = false;
  std::uint64_t m_mapped = 0;
};

}  // namespace robust_kbench::recorder
