#pragma once

#include <utility>  // declares std::tuple, which is enough for a kernel that never names it
#ifndef RKB_WITHOUT_TUPLE
#include <tuple>
#endif

// The operators of torch that are also methods of Tensor, all by the boxed call. From one list come
// the declaration in the class, the method and the free function.

// name(self), with name_(self) in place.
// clang-format off
#define RKB_UNARY_OPERATORS(X)                                                                   \
  X(abs)                                                                                         \
  X(ceil)                                                                                        \
  X(cos)                                                                                         \
  X(erf)                                                                                         \
  X(exp) X(exp2) X(expm1) X(floor) X(log) X(log1p) X(log2) X(neg) X(reciprocal) X(relu) X(round) \
      X(rsqrt) X(sigmoid) X(sin) X(sqrt) X(square) X(tanh) X(trunc)
// clang-format on

// name(self, tensor or number), with name_() in place.
#define RKB_ARITHMETIC_OPERATORS(X) X(add) X(sub) X(mul) X(div)
#define RKB_COMPARISON_OPERATORS(X) X(eq) X(ne) X(lt) X(le) X(gt) X(ge)

// name(self, tensor).
#define RKB_BINARY_OPERATORS(X) \
  X(matmul) X(mm) X(bmm) X(mv) X(dot) X(outer) X(maximum) X(minimum) X(logical_and) X(logical_or)

// name(self, dtype), and name(self, dimensions, keepdim, dtype) with the overload's name.
#define RKB_SUM_OPERATORS(X) X(sum, "dim_IntList") X(mean, "dim")

// name(self), and name(self, dimension, keepdim) with indices.
#define RKB_EXTREME_OPERATORS(X) X(max) X(min)

#define RKB_DECLARE_UNARY(name) \
  Tensor name() const;          \
  const Tensor& name##_() const;
#define RKB_DECLARE_ARITHMETIC(name)                \
  Tensor name(const Tensor& other) const;           \
  Tensor name(Scalar other) const;                  \
  const Tensor& name##_(const Tensor& other) const; \
  const Tensor& name##_(Scalar other) const;
#define RKB_DECLARE_COMPARISON(name)      \
  Tensor name(const Tensor& other) const; \
  Tensor name(Scalar other) const;
#define RKB_DECLARE_BINARY(name) Tensor name(const Tensor& other) const;
#define RKB_DECLARE_SUM(name, dims_overload)                                                      \
  Tensor name(optional<ScalarType> dtype = nullopt) const;                                        \
  Tensor name(IntArrayRef dimensions, bool keepdim = false, optional<ScalarType> dtype = nullopt) \
      const;
#define RKB_DECLARE_EXTREME(name) \
  Tensor name() const;            \
  std::tuple<Tensor, Tensor> name(std::int64_t dimension, bool keepdim = false) const;

#define RKB_DECLARE_TENSOR_OPERATORS                                                         \
  RKB_UNARY_OPERATORS(RKB_DECLARE_UNARY)                                                     \
  RKB_ARITHMETIC_OPERATORS(RKB_DECLARE_ARITHMETIC)                                           \
  RKB_COMPARISON_OPERATORS(RKB_DECLARE_COMPARISON)                                           \
  RKB_BINARY_OPERATORS(RKB_DECLARE_BINARY)                                                   \
  RKB_SUM_OPERATORS(RKB_DECLARE_SUM)                                                         \
  RKB_EXTREME_OPERATORS(RKB_DECLARE_EXTREME)                                                 \
  Tensor add(const Tensor& other, Scalar alpha) const;                                       \
  const Tensor& add_(const Tensor& other, Scalar alpha) const;                               \
  Tensor pow(Scalar exponent) const;                                                         \
  Tensor pow(const Tensor& exponent) const;                                                  \
  Tensor addmm(const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1) const;   \
  Tensor clamp(const optional<Scalar>& min = nullopt, const optional<Scalar>& max = nullopt) \
      const;                                                                                 \
  Tensor clamp_min(Scalar min) const;                                                        \
  Tensor clamp_max(Scalar max) const;                                                        \
  Tensor amax(IntArrayRef dimensions = {}, bool keepdim = false) const;                      \
  Tensor amin(IntArrayRef dimensions = {}, bool keepdim = false) const;                      \
  Tensor argmax(optional<std::int64_t> dimension = nullopt, bool keepdim = false) const;     \
  Tensor argmin(optional<std::int64_t> dimension = nullopt, bool keepdim = false) const;     \
  Tensor var(IntArrayRef dimensions, bool unbiased = true, bool keepdim = false) const;      \
  Tensor std(IntArrayRef dimensions, bool unbiased = true, bool keepdim = false) const;      \
  Tensor norm() const;                                                                       \
  Tensor all() const;                                                                        \
  Tensor any() const;                                                                        \
  Tensor isnan() const;                                                                      \
  Tensor cumsum(std::int64_t dimension) const;                                               \
  Tensor softmax(std::int64_t dimension, optional<ScalarType> dtype = nullopt) const;        \
  Tensor log_softmax(std::int64_t dimension, optional<ScalarType> dtype = nullopt) const;    \
  Tensor logsumexp(IntArrayRef dimensions, bool keepdim = false) const;                      \
  Tensor gather(std::int64_t dimension, const Tensor& index) const;                          \
  Tensor index_select(std::int64_t dimension, const Tensor& index) const;                    \
  Tensor masked_fill(const Tensor& mask, Scalar value) const;                                \
  Tensor repeat(IntArrayRef repeats) const;                                                  \
  Tensor tril(std::int64_t diagonal = 0) const;                                              \
  Tensor triu(std::int64_t diagonal = 0) const;                                              \
  const Tensor& operator+=(const Tensor& other) const {                                      \
    return add_(other);                                                                      \
  }                                                                                          \
  const Tensor& operator-=(const Tensor& other) const {                                      \
    return sub_(other);                                                                      \
  }                                                                                          \
  const Tensor& operator*=(const Tensor& other) const {                                      \
    return mul_(other);                                                                      \
  }                                                                                          \
  const Tensor& operator/=(const Tensor& other) const {                                      \
    return div_(other);                                                                      \
  }                                                                                          \
  const Tensor& operator+=(Scalar other) const {                                             \
    return add_(other);                                                                      \
  }                                                                                          \
  const Tensor& operator-=(Scalar other) const {                                             \
    return sub_(other);                                                                      \
  }                                                                                          \
  const Tensor& operator*=(Scalar other) const {                                             \
    return mul_(other);                                                                      \
  }                                                                                          \
  const Tensor& operator/=(Scalar other) const {                                             \
    return div_(other);                                                                      \
  }
