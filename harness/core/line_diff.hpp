#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// What turns one text into another, line by line, as `diff -u` prints it with three lines of
// context. Empty where they are equal. The lines between the first and the last difference are
// compared in memory of the product of both counts. Where that is over 100 MB, all are replaced.
std::string unified_diff(std::string_view before_name, std::string_view before,
                         std::string_view after_name, std::string_view after);

}  // namespace robust_kbench
