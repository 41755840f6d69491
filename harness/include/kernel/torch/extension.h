#pragma once

// What a kernel includes. Torch's names over the C table of robust_kbench_abi.h: no torch, no
// Python and no pybind11 at compile time, at link time or in the process.

// Std's most expensive headers, without which the compilation of a kernel that never names what
// they hold takes half the time.
#ifndef RKB_WITHOUT_STRING
#include <stdexcept>
#include <string>
#endif
#ifndef RKB_WITHOUT_VECTOR
#include <vector>
#endif
#ifndef RKB_WITHOUT_ALGORITHM
#include <algorithm>
#endif
#ifndef RKB_WITHOUT_TUPLE
#include <array>
#include <tuple>
#endif

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <robust_kbench/shim/namespaces.h>
