#pragma once

#include <string>

namespace robust_kbench {

// 64 hexadecimal digits from the operating system, from which a run makes the marks that fence
// foreign text in its prompts. A run stores its digits, so that its marks are the same when it is
// resumed or replayed.
std::string new_mark_secret();

}  // namespace robust_kbench
