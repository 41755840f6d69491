#pragma once

#include <tuple>
#include <vector>

#include "shim/python/value.hpp"
#include <robust_kbench/shim/tensor.h>

// Calls of torch's operators by schema name. Arguments are positional in the schema's order. Those
// left out at the end have the schema's defaults.
namespace rkb {

// Prevents a bug of GCC 12 at -O2: -fipa-sra replaces a `const Scalar&` that is passed through
// several functions by garbage.
#if defined(__clang__)
#define RKB_NO_IPA __attribute__((noinline))
#else
#define RKB_NO_IPA __attribute__((noipa))
#endif

// The value borrows the tensor.
inline rkb_value to_value(const Tensor& tensor) {
  rkb_value value = make_value(tensor.defined() ? RKB_TENSOR : RKB_NONE);
  value.as.tensor = tensor.impl();
  return value;
}
std::vector<rkb_value> to_values(TensorList tensors);

std::vector<Tensor> call_boxed(const char* name, const char* overload, const rkb_value* arguments,
                               std::int32_t count);

template <typename... Arguments>
RKB_NO_IPA std::vector<Tensor> call_for_list(const char* name, const char* overload,
                                             const Arguments&... arguments) {
  const rkb_value values[] = {to_value(arguments)...};
  return call_boxed(name, overload, values, static_cast<std::int32_t>(sizeof...(arguments)));
}

template <typename... Arguments>
RKB_NO_IPA Tensor call(const char* name, const char* overload, const Arguments&... arguments) {
  std::vector<Tensor> results = call_for_list(name, overload, arguments...);
  TORCH_CHECK(results.size() == 1, name, " returned ", results.size(), " values, expected 1");
  return std::move(results[0]);
}

template <typename... Arguments>
RKB_NO_IPA std::tuple<Tensor, Tensor> call_for_two(const char* name, const char* overload,
                                                   const Arguments&... arguments) {
  std::vector<Tensor> results = call_for_list(name, overload, arguments...);
  TORCH_CHECK(results.size() == 2, name, " returned ", results.size(), " values, expected 2");
  return {std::move(results[0]), std::move(results[1])};
}

}  // namespace rkb
