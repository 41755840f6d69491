#pragma once

// What a kernel includes. Torch's names over the C table of robust_kbench_abi.h: no torch, no
// Python and no pybind11 at compile time, at link time or in the process.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <robust_kbench/facade/namespaces.h>
