#pragma once

// What a kernel includes that needs more of torch than harness/include/kernel has: torch's own
// headers, all that its extension.h brings but for Python's and pybind11's, and our module over
// them.
#include <robust_kbench/python/module.h>

#include <torch/all.h>
