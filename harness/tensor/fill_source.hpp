#pragma once

#include <string>

namespace robust_kbench {

// The PTX of two kernels, `normal` and `uniform`, which make the bits of fill.hpp on a GPU. Their
// parameters are the address of the float32 elements, their count, the key (64 bits each), and
// three float32: mean, standard deviation and 0, or the least number, the span, and the last number
// below the exclusive end. Thread i runs the cipher at counter i and makes 16 elements. So a block
// of elements takes `cipher_lanes` threads.
std::string fill_source();

}  // namespace robust_kbench
