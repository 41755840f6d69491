#pragma once

// Includes torch's operators on tensors: 1 + x, x * y, -x < 0.5. Unless this macro is defined,
// torch's header for them includes all of ATen, which takes seconds to compile.
#ifdef AT_PER_OPERATOR_HEADERS
#include <ATen/TensorOperators.h>
#else
#define AT_PER_OPERATOR_HEADERS
#include <ATen/TensorOperators.h>
#undef AT_PER_OPERATOR_HEADERS
#endif
