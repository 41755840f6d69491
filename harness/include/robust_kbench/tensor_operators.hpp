#pragma once

// Brings torch's operators on tensors: 1 + x, x * y, -x < 0.5. Torch's header for them includes all
// of ATen, which takes the compiler seconds, unless this macro is defined.
#ifdef AT_PER_OPERATOR_HEADERS
#include <ATen/TensorOperators.h>
#else
#define AT_PER_OPERATOR_HEADERS
#include <ATen/TensorOperators.h>
#undef AT_PER_OPERATOR_HEADERS
#endif
