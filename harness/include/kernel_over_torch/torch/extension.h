#pragma once

// The header for kernels that need more of torch than harness/include/kernel has. It holds torch's
// own headers, as its extension.h does, without Python's and pybind11's. On top comes our module.
#include <robust_kbench/python/module.h>

#include <torch/all.h>

// What Python's and pybind11's headers bring along is among these.
#include <robust_kbench/standard_library.h>
