#include "recorder/scratch.hpp"

#include <cstddef>

#include "device/cuda_driver.hpp"
#include "recorder/real_driver.hpp"

namespace robust_kbench::recorder {
namespace {

using Address = std::uint64_t;

bool reserve_scratch() {
  static const auto reserve =
      real<int (*)(Address*, std::size_t, std::size_t, Address, unsigned long long)>(
          "cuMemAddressReserve");
  Address address = 0;
  const int error = reserve(&address, scratch_reserved_bytes, 0, scratch_address, 0);
  // The driver takes an address as a hint, and may answer with another one.
  return error == 0 && address == scratch_address;
}

bool map_unit(Address address) {
  static const auto create =
      real<int (*)(std::uint64_t*, std::size_t, const void*, unsigned long long)>("cuMemCreate");
  static const auto map =
      real<int (*)(Address, std::size_t, std::size_t, std::uint64_t, unsigned long long)>(
          "cuMemMap");
  static const auto set_access =
      real<int (*)(Address, std::size_t, const void*, std::size_t)>("cuMemSetAccess");
  const CudaDriver::AllocationProperties properties{};
  const CudaDriver::AccessDescription access{};
  std::uint64_t handle = 0;
  return create(&handle, scratch_unit_bytes, &properties, 0) == 0 &&
         map(address, scratch_unit_bytes, 0, handle, 0) == 0 &&
         set_access(address, scratch_unit_bytes, &access, 1) == 0;
}

}  // namespace

bool Scratch::map_until(std::uint64_t end) {
  if (!m_is_reserved && !(m_is_reserved = reserve_scratch())) return false;
  while (m_mapped < end) {
    if (!map_unit(scratch_address + m_mapped)) return false;
    m_mapped += scratch_unit_bytes;
  }
  return true;
}

std::optional<std::uint64_t> Scratch::take(std::uint64_t bytes) {
  const std::optional<std::uint64_t> offset = m_parts.take(bytes);
  if (!offset) return std::nullopt;
  if (!map_until(m_parts.most())) {
    m_parts.give(*offset);
    return std::nullopt;
  }
  return scratch_address + *offset;
}

bool Scratch::give(std::uint64_t address) {
  return address >= scratch_address && m_parts.give(address - scratch_address);
}

std::optional<std::uint64_t> Scratch::offset_of(std::uint64_t address) const {
  if (address < scratch_address || address - scratch_address > most()) return std::nullopt;
  return address - scratch_address;
}

}  // namespace robust_kbench::recorder
