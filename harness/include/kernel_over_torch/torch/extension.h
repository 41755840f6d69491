#pragma once

// The header for kernels that need more of torch than harness/include/kernel has. Like torch's
// extension.h it includes torch's own headers, but not those of Python and pybind11. Our module
// replaces these.
#include <robust_kbench/python/module.h>

#include <torch/all.h>

// Standard headers that Python's and pybind11's headers would include.
#include <robust_kbench/standard_library.h>
