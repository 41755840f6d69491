#pragma once

#include <set>
#include <string>
#include <string_view>

namespace robust_kbench {

// The shingles of a source: all runs of five successive tokens. Comments and spaces do not count,
// and all numbers are equal, as are all strings.
std::set<std::string> shingles_of(std::string_view source);

// Jaccard's index of two sets: 1 for equal ones, 0 for those that have nothing in common.
double similarity(const std::set<std::string>& a, const std::set<std::string>& b);

}  // namespace robust_kbench
