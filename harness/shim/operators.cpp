#include "shim/boxed.hpp"
#include <robust_kbench/shim/operators.h>

namespace rkb {

#define RKB_DEFINE_UNARY(name)                \
  Tensor Tensor::name() const {               \
    return call("aten::" #name, "", *this);   \
  }                                           \
  const Tensor& Tensor::name##_() const {     \
    call("aten::" #name "_", "", *this);      \
    return *this;                             \
  }                                           \
  Tensor name(const Tensor& self) {           \
    return self.name();                       \
  }                                           \
  const Tensor& name##_(const Tensor& self) { \
    return self.name##_();                    \
  }
RKB_UNARY_OPERATORS(RKB_DEFINE_UNARY)
#undef RKB_DEFINE_UNARY

#define RKB_DEFINE_TENSOR_OR_SCALAR(name)                \
  Tensor Tensor::name(const Tensor& other) const {       \
    return call("aten::" #name, "Tensor", *this, other); \
  }                                                      \
  Tensor Tensor::name(Scalar other) const {              \
    return call("aten::" #name, "Scalar", *this, other); \
  }                                                      \
  Tensor name(const Tensor& self, const Tensor& other) { \
    return self.name(other);                             \
  }                                                      \
  Tensor name(const Tensor& self, Scalar other) {        \
    return self.name(other);                             \
  }
RKB_ARITHMETIC_OPERATORS(RKB_DEFINE_TENSOR_OR_SCALAR)
RKB_COMPARISON_OPERATORS(RKB_DEFINE_TENSOR_OR_SCALAR)
#undef RKB_DEFINE_TENSOR_OR_SCALAR

#define RKB_DEFINE_IN_PLACE(name)                            \
  const Tensor& Tensor::name##_(const Tensor& other) const { \
    call("aten::" #name "_", "Tensor", *this, other);        \
    return *this;                                            \
  }                                                          \
  const Tensor& Tensor::name##_(Scalar other) const {        \
    call("aten::" #name "_", "Scalar", *this, other);        \
    return *this;                                            \
  }
RKB_ARITHMETIC_OPERATORS(RKB_DEFINE_IN_PLACE)
#undef RKB_DEFINE_IN_PLACE

#define RKB_DEFINE_BINARY(name)                          \
  Tensor Tensor::name(const Tensor& other) const {       \
    return call("aten::" #name, "", *this, other);       \
  }                                                      \
  Tensor name(const Tensor& self, const Tensor& other) { \
    return self.name(other);                             \
  }
RKB_BINARY_OPERATORS(RKB_DEFINE_BINARY)
#undef RKB_DEFINE_BINARY

#define RKB_DEFINE_SUM(name, dims_overload)                                                     \
  Tensor Tensor::name(optional<ScalarType> dtype) const {                                       \
    return call("aten::" #name, "", *this, dtype);                                              \
  }                                                                                             \
  Tensor Tensor::name(IntArrayRef dimensions, bool keepdim, optional<ScalarType> dtype) const { \
    return call("aten::" #name, dims_overload, *this, dimensions, keepdim, dtype);              \
  }                                                                                             \
  Tensor name(const Tensor& self, optional<ScalarType> dtype) {                                 \
    return self.name(dtype);                                                                    \
  }                                                                                             \
  Tensor name(const Tensor& self, IntArrayRef dimensions, bool keepdim,                         \
              optional<ScalarType> dtype) {                                                     \
    return self.name(dimensions, keepdim, dtype);                                               \
  }
RKB_SUM_OPERATORS(RKB_DEFINE_SUM)
#undef RKB_DEFINE_SUM

#define RKB_DEFINE_EXTREME(name)                                                              \
  Tensor Tensor::name() const {                                                               \
    return call("aten::" #name, "", *this);                                                   \
  }                                                                                           \
  std::tuple<Tensor, Tensor> Tensor::name(std::int64_t dimension, bool keepdim) const {       \
    return call_for_two("aten::" #name, "dim", *this, dimension, keepdim);                    \
  }                                                                                           \
  Tensor name(const Tensor& self) {                                                           \
    return self.name();                                                                       \
  }                                                                                           \
  Tensor name(const Tensor& self, const Tensor& other) {                                      \
    return call("aten::" #name, "other", self, other);                                        \
  }                                                                                           \
  std::tuple<Tensor, Tensor> name(const Tensor& self, std::int64_t dimension, bool keepdim) { \
    return self.name(dimension, keepdim);                                                     \
  }
RKB_EXTREME_OPERATORS(RKB_DEFINE_EXTREME)
#undef RKB_DEFINE_EXTREME

Tensor Tensor::add(const Tensor& other, Scalar alpha) const {
  return call("aten::add", "Tensor", *this, other, alpha);
}
const Tensor& Tensor::add_(const Tensor& other, Scalar alpha) const {
  call("aten::add_", "Tensor", *this, other, alpha);
  return *this;
}
Tensor Tensor::pow(Scalar exponent) const {
  return call("aten::pow", "Tensor_Scalar", *this, exponent);
}
Tensor Tensor::pow(const Tensor& exponent) const {
  return call("aten::pow", "Tensor_Tensor", *this, exponent);
}
Tensor Tensor::addmm(const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) const {
  return call("aten::addmm", "", *this, a, b, beta, alpha);
}
Tensor Tensor::clamp(const optional<Scalar>& min, const optional<Scalar>& max) const {
  return call("aten::clamp", "", *this, min, max);
}
Tensor Tensor::clamp_min(Scalar min) const {
  return call("aten::clamp_min", "", *this, min);
}
Tensor Tensor::clamp_max(Scalar max) const {
  return call("aten::clamp_max", "", *this, max);
}
Tensor Tensor::amax(IntArrayRef dimensions, bool keepdim) const {
  return call("aten::amax", "", *this, dimensions, keepdim);
}
Tensor Tensor::amin(IntArrayRef dimensions, bool keepdim) const {
  return call("aten::amin", "", *this, dimensions, keepdim);
}
Tensor Tensor::argmax(optional<std::int64_t> dimension, bool keepdim) const {
  return call("aten::argmax", "", *this, dimension, keepdim);
}
Tensor Tensor::argmin(optional<std::int64_t> dimension, bool keepdim) const {
  return call("aten::argmin", "", *this, dimension, keepdim);
}
Tensor Tensor::var(IntArrayRef dimensions, bool unbiased, bool keepdim) const {
  return call("aten::var", "dim", *this, dimensions, unbiased, keepdim);
}
Tensor Tensor::std(IntArrayRef dimensions, bool unbiased, bool keepdim) const {
  return call("aten::std", "dim", *this, dimensions, unbiased, keepdim);
}
Tensor Tensor::norm() const {
  return call("aten::norm", "Scalar", *this);
}
Tensor Tensor::all() const {
  return call("aten::all", "", *this);
}
Tensor Tensor::any() const {
  return call("aten::any", "", *this);
}
Tensor Tensor::isnan() const {
  return call("aten::isnan", "", *this);
}
Tensor Tensor::cumsum(std::int64_t dimension) const {
  return call("aten::cumsum", "", *this, dimension);
}
Tensor Tensor::softmax(std::int64_t dimension, optional<ScalarType> dtype) const {
  return call("aten::softmax", "int", *this, dimension, dtype);
}
Tensor Tensor::log_softmax(std::int64_t dimension, optional<ScalarType> dtype) const {
  return call("aten::log_softmax", "int", *this, dimension, dtype);
}
Tensor Tensor::logsumexp(IntArrayRef dimensions, bool keepdim) const {
  return call("aten::logsumexp", "", *this, dimensions, keepdim);
}
Tensor Tensor::gather(std::int64_t dimension, const Tensor& index) const {
  return call("aten::gather", "", *this, dimension, index);
}
Tensor Tensor::index_select(std::int64_t dimension, const Tensor& index) const {
  return call("aten::index_select", "", *this, dimension, index);
}
Tensor Tensor::masked_fill(const Tensor& mask, Scalar value) const {
  return call("aten::masked_fill", "Scalar", *this, mask, value);
}
Tensor Tensor::repeat(IntArrayRef repeats) const {
  return call("aten::repeat", "", *this, repeats);
}
Tensor Tensor::tril(std::int64_t diagonal) const {
  return call("aten::tril", "", *this, diagonal);
}
Tensor Tensor::triu(std::int64_t diagonal) const {
  return call("aten::triu", "", *this, diagonal);
}

Tensor operator+(const Tensor& a, const Tensor& b) {
  return a.add(b);
}
Tensor operator-(const Tensor& a, const Tensor& b) {
  return a.sub(b);
}
Tensor operator*(const Tensor& a, const Tensor& b) {
  return a.mul(b);
}
Tensor operator/(const Tensor& a, const Tensor& b) {
  return a.div(b);
}
Tensor operator+(const Tensor& a, Scalar b) {
  return a.add(b);
}
Tensor operator-(const Tensor& a, Scalar b) {
  return a.sub(b);
}
Tensor operator*(const Tensor& a, Scalar b) {
  return a.mul(b);
}
Tensor operator/(const Tensor& a, Scalar b) {
  return a.div(b);
}
Tensor operator+(Scalar a, const Tensor& b) {
  return b.add(a);
}
Tensor operator-(Scalar a, const Tensor& b) {
  return call("aten::rsub", "Scalar", b, a);
}
Tensor operator*(Scalar a, const Tensor& b) {
  return b.mul(a);
}
Tensor operator/(Scalar a, const Tensor& b) {
  return b.reciprocal().mul(a);
}
Tensor operator-(const Tensor& a) {
  return a.neg();
}
Tensor operator==(const Tensor& a, const Tensor& b) {
  return a.eq(b);
}
Tensor operator==(const Tensor& a, Scalar b) {
  return a.eq(b);
}
Tensor operator!=(const Tensor& a, const Tensor& b) {
  return a.ne(b);
}
Tensor operator!=(const Tensor& a, Scalar b) {
  return a.ne(b);
}
Tensor operator<(const Tensor& a, const Tensor& b) {
  return a.lt(b);
}
Tensor operator<(const Tensor& a, Scalar b) {
  return a.lt(b);
}
Tensor operator<=(const Tensor& a, const Tensor& b) {
  return a.le(b);
}
Tensor operator<=(const Tensor& a, Scalar b) {
  return a.le(b);
}
Tensor operator>(const Tensor& a, const Tensor& b) {
  return a.gt(b);
}
Tensor operator>(const Tensor& a, Scalar b) {
  return a.gt(b);
}
Tensor operator>=(const Tensor& a, const Tensor& b) {
  return a.ge(b);
}
Tensor operator>=(const Tensor& a, Scalar b) {
  return a.ge(b);
}

}  // namespace rkb
