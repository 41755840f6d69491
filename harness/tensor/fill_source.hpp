#pragma once

#include <string>

namespace robust_kbench {

// The PTX of two kernels, `normal` and `uniform`, which make the bits of fill.hpp on a GPU. Their
// parameters are the address of the float32 elements, their count and the key, of 64 bits each.
// Three float32 follow: the mean, the standard deviation and 0 for `normal`. For `uniform` they are
// the least number, the span, and the last number below the exclusive end. Thread i runs the cipher
// at counter i and makes 16 elements. So a block of elements takes `cipher_lanes` threads.
std::string fill_source();

}  // namespace robust_kbench
