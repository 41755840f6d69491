#pragma once

// What a kernel includes. Torch's names over the C table of robust_kbench_abi.h: no torch, no
// Python and no pybind11 at compile time, at link time or in the process.

// Std's most expensive headers, without which the compilation of a kernel that never names what
// they hold is a third shorter.
#ifndef RKB_WITHOUT_STRING
#include <stdexcept>
#include <string>
#endif
#ifndef RKB_WITHOUT_VECTOR
#include <vector>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <tuple>
#include <utility>

#include <robust_kbench/facade/namespaces.h>
