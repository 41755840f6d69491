#pragma once

#include <string_view>

namespace robust_kbench {

// Throws SourceError where a directive of the source names a header with characters of comments or
// escapes, such as `<a/*b>` or "a\". A compiler finds neither in a name, but finds both in a group
// that it skips. So such a name hides what is code from tokenize(), or the other way round.
void require_plain_header_names(std::string_view source);

}  // namespace robust_kbench
