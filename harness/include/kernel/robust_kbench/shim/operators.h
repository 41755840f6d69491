#pragma once

#include <robust_kbench/shim/tensor.h>

// The operators of tensor_operators.h as free functions.
namespace rkb {

#define RKB_DECLARE_UNARY_FUNCTION(name) \
  Tensor name(const Tensor& self);       \
  const Tensor& name##_(const Tensor& self);
RKB_UNARY_OPERATORS(RKB_DECLARE_UNARY_FUNCTION)
#undef RKB_DECLARE_UNARY_FUNCTION

#define RKB_DECLARE_OTHER_FUNCTION(name)                \
  Tensor name(const Tensor& self, const Tensor& other); \
  Tensor name(const Tensor& self, Scalar other);
RKB_ARITHMETIC_OPERATORS(RKB_DECLARE_OTHER_FUNCTION)
RKB_COMPARISON_OPERATORS(RKB_DECLARE_OTHER_FUNCTION)
#undef RKB_DECLARE_OTHER_FUNCTION

#define RKB_DECLARE_BINARY_FUNCTION(name) Tensor name(const Tensor& self, const Tensor& other);
RKB_BINARY_OPERATORS(RKB_DECLARE_BINARY_FUNCTION)
#undef RKB_DECLARE_BINARY_FUNCTION

#define RKB_DECLARE_SUM_FUNCTION(name, dims_overload)                           \
  Tensor name(const Tensor& self, optional<ScalarType> dtype = nullopt);        \
  Tensor name(const Tensor& self, IntArrayRef dimensions, bool keepdim = false, \
              optional<ScalarType> dtype = nullopt);
RKB_SUM_OPERATORS(RKB_DECLARE_SUM_FUNCTION)
#undef RKB_DECLARE_SUM_FUNCTION

#define RKB_DECLARE_EXTREME_FUNCTION(name)              \
  Tensor name(const Tensor& self);                      \
  Tensor name(const Tensor& self, const Tensor& other); \
  std::tuple<Tensor, Tensor> name(const Tensor& self, std::int64_t dimension, bool keepdim = false);
RKB_EXTREME_OPERATORS(RKB_DECLARE_EXTREME_FUNCTION)
#undef RKB_DECLARE_EXTREME_FUNCTION

Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& a, Scalar b);
Tensor operator+(Scalar a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, Scalar b);
Tensor operator-(Scalar a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, Scalar b);
Tensor operator*(Scalar a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, Scalar b);
Tensor operator/(Scalar a, const Tensor& b);
Tensor operator-(const Tensor& a);
Tensor operator==(const Tensor& a, const Tensor& b);
Tensor operator==(const Tensor& a, Scalar b);
Tensor operator!=(const Tensor& a, const Tensor& b);
Tensor operator!=(const Tensor& a, Scalar b);
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator<(const Tensor& a, Scalar b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, Scalar b);
Tensor operator>(const Tensor& a, const Tensor& b);
Tensor operator>(const Tensor& a, Scalar b);
Tensor operator>=(const Tensor& a, const Tensor& b);
Tensor operator>=(const Tensor& a, Scalar b);

}  // namespace rkb
