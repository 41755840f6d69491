#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The bytes of a text in base64 (RFC 4648, section 4), padded. Throws UserError for any other text.
std::string decode_base64(std::string_view text);

}  // namespace robust_kbench
