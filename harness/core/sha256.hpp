#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// SHA-256 (FIPS 180-4) of the bytes, in 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

// HMAC (RFC 2104) by SHA-256, in the same form. Nobody can make it without the key.
std::string hmac_sha256(std::string_view key, std::string_view message);

}  // namespace robust_kbench
