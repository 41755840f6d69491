#pragma once

// The header that a kernel includes. It implements torch's names by the C table of
// robust_kbench_abi.h. There is no torch, no Python and no pybind11 at compile time, at link time
// or in the process.

// The most expensive headers of std. Without them, a kernel that never uses their names compiles in
// half the time.
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

#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include <robust_kbench/shim/namespaces.h>
