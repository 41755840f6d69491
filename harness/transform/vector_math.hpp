#pragma once

#include <set>
#include <string>
#include <vector>

#include "source/code.hpp"

namespace robust_kbench {

// Whether glibc has a function of <cmath> for vectors of float.
bool has_vector_version(const std::string& function);

// Edits that declare the vector versions of functions of <cmath>, which glibc has for float. They
// are called in loops with `#pragma omp simd`. Functions that have none, and those that the source
// declares already, are left out.
std::vector<Edit> declare_vector_math(const Code& code, const std::set<std::string>& functions);

}  // namespace robust_kbench
