#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// A digest of 32 hexadecimal digits. Sources that differ in spaces and comments alone have the
// same, except that a comment `// options: ...` counts, since it chooses how a source is compiled.
std::string fingerprint(std::string_view source);

}  // namespace robust_kbench
