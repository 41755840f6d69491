#pragma once

#include <cstdint>

namespace robust_kbench {

// Where recorder and replayer map the memory of a GPU. The upper halves are numbers that rarely
// occur as sizes. So two integers next to each other are hardly taken for an address.
inline constexpr std::uint64_t inputs_address = 0x2b6b'0000'0000;
inline constexpr std::uint64_t kernel_address = 0x2bb7'0000'0000;
inline constexpr std::uint64_t scratch_address = 0x2c05'0000'0000;

// The addresses that are kept free for scratch. Memory is mapped as it is needed.
inline constexpr std::uint64_t scratch_reserved_bytes = std::uint64_t{256} << 30;

// The unit in which scratch is mapped.
inline constexpr std::uint64_t scratch_unit_bytes = std::uint64_t{64} << 20;

}  // namespace robust_kbench
