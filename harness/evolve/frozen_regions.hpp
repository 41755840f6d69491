#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// The parts of a source that no proposal may change, in their order: the lines between a line
// `// frozen: begin` and the next line `// frozen: end`, or the file's end.
std::vector<std::string> frozen_regions(std::string_view source);

}  // namespace robust_kbench
