#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// SHA-256 (FIPS 180-4) of the bytes, in 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace robust_kbench
