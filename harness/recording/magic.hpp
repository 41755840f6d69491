#pragma once

#include <cstddef>
#include <string_view>

namespace robust_kbench {

// The first bytes of a recording.
inline constexpr std::string_view recording_magic = "RKBREC\r\n";

// The longest name or reason. Mangled names of templates have some thousand characters.
inline constexpr std::size_t most_recorded_text = std::size_t{16} << 10;

}  // namespace robust_kbench
