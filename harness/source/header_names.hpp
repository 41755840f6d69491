#pragma once

#include <string_view>

namespace robust_kbench {

// In the name of a header a compiler finds no comments and no escapes: `<a/*b>`, "a\". In a group
// that it skips it finds them all the same. So such a name hides what is code from tokenize(), or
// the other way round. Throws SourceError where a directive of the source has one.
void require_plain_header_names(std::string_view source);

}  // namespace robust_kbench
