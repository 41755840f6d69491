#pragma once

#include <robust_kbench/facade/tensor.h>

namespace rkb {

inline DimVector Tensor::format_strides(IntArrayRef sizes, MemoryFormat format) {
  const bool image = format == MemoryFormat::ChannelsLast && sizes.size() == 4;
  const bool volume = format == MemoryFormat::ChannelsLast3d && sizes.size() == 5;
  if (!image && !volume) return contiguous_strides(sizes);
  // Channels vary fastest, so their dimension moves to the end.
  DimVector order(sizes);
  order.erase(1);
  order.push_back(sizes[1]);
  DimVector strides = contiguous_strides(order);
  const std::int64_t channel_stride = strides[order.size() - 1];
  strides.erase(order.size() - 1);
  strides.insert(1, channel_stride);
  return strides;
}

[[noreturn]] RKB_COLD inline void throw_allocation_error(IntArrayRef sizes, ScalarType dtype) {
  const char* message = table->last_error();
  if (message != nullptr && message[0] != '\0') fail(message);
  fail<OutOfMemoryError>("out of memory: no room for ", dtype, sizes);
}

inline Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {}) {
  const Device device = options.device();
  rkb_tensor* impl =
      table->empty_strided(sizes.data(), strides.data(), static_cast<std::int32_t>(sizes.size()),
                           static_cast<std::int32_t>(options.dtype()),
                           static_cast<std::int32_t>(device.type()), device.index());
  if (C10_UNLIKELY(impl == nullptr)) throw_allocation_error(sizes, options.dtype());
  return Tensor::adopt(impl);
}

inline Tensor empty(IntArrayRef sizes, TensorOptions options = {},
                    optional<MemoryFormat> format = nullopt) {
  return empty_strided(
      sizes, Tensor::format_strides(sizes, format.value_or(MemoryFormat::Contiguous)), options);
}

inline Tensor empty_like(const Tensor& like, TensorOptions options = {},
                         optional<MemoryFormat> format = nullopt) {
  options = options.over(like.options());
  if (format.value_or(MemoryFormat::Preserve) != MemoryFormat::Preserve) {
    return empty(like.sizes(), options, format);
  }
  if (like.is_contiguous()) return empty(like.sizes(), options);
  return empty_strided(like.sizes(), dense_strides(like.sizes(), like.strides()), options);
}

inline Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options = {}) {
  if (!options.has_dtype() && value.isIntegral(false)) options = options.dtype(kLong);
  if (!options.has_dtype() && value.isBoolean()) options = options.dtype(kBool);
  Tensor result = empty(sizes, options);
  result.fill_(value);
  return result;
}
inline Tensor zeros(IntArrayRef sizes, TensorOptions options = {}) {
  Tensor result = empty(sizes, options);
  result.zero_();
  return result;
}
inline Tensor ones(IntArrayRef sizes, TensorOptions options = {}) {
  Tensor result = empty(sizes, options);
  result.fill_(1);
  return result;
}
inline Tensor full_like(const Tensor& like, Scalar value, TensorOptions options = {}) {
  Tensor result = empty_like(like, options);
  result.fill_(value);
  return result;
}
inline Tensor zeros_like(const Tensor& like, TensorOptions options = {},
                         optional<MemoryFormat> format = nullopt) {
  Tensor result = empty_like(like, options, format);
  result.zero_();
  return result;
}
inline Tensor ones_like(const Tensor& like, TensorOptions options = {}) {
  return full_like(like, 1, options);
}

inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                        TensorOptions options = {}) {
  rkb_tensor* impl = table->from_blob(
      data, sizes.data(), strides.data(), static_cast<std::int32_t>(sizes.size()),
      static_cast<std::int32_t>(options.dtype()),
      static_cast<std::int32_t>(options.device().type()), options.device().index());
  if (C10_UNLIKELY(impl == nullptr)) throw_table_error();
  return Tensor::adopt(impl);
}
inline Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options = {}) {
  return from_blob(data, sizes, contiguous_strides(sizes), options);
}

// A tensor of given numbers, on the CPU first and then where `options` say.
template <typename T>
Tensor tensor(ArrayRef<T> values, TensorOptions options = {}) {
  std::vector<T> copy = values.vec();
  const Tensor here = from_blob(copy.data(), {static_cast<std::int64_t>(copy.size())},
                                TensorOptions(CppTypeToScalarType<T>::value));
  return here.to(options, false, true);
}
template <typename T>
Tensor tensor(std::initializer_list<T> values, TensorOptions options = {}) {
  return tensor(ArrayRef<T>(values.begin(), values.size()), options);
}
template <typename T>
Tensor tensor(const std::vector<T>& values, TensorOptions options = {}) {
  return tensor(ArrayRef<T>(values), options);
}
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
Tensor tensor(T value, TensorOptions options = {}) {
  return full({}, value,
              options.has_dtype() ? options : options.dtype(CppTypeToScalarType<T>::value));
}
inline Tensor scalar_tensor(Scalar value, TensorOptions options = {}) {
  return full({}, value, options.has_dtype() ? options : options.dtype(kFloat));
}

inline Tensor Tensor::new_empty(IntArrayRef sizes, TensorOptions options) const {
  return empty(sizes, options.over(this->options()));
}
inline Tensor Tensor::new_zeros(IntArrayRef sizes, TensorOptions options) const {
  return zeros(sizes, options.over(this->options()));
}
inline Tensor Tensor::new_ones(IntArrayRef sizes, TensorOptions options) const {
  return ones(sizes, options.over(this->options()));
}
inline Tensor Tensor::new_full(IntArrayRef sizes, Scalar value, TensorOptions options) const {
  return full(sizes, value, options.over(this->options()));
}

inline Scalar Tensor::item() const {
  TORCH_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  double real = 0;
  std::int64_t integer = 0;
  check_status(table->item(m_impl, &real, &integer));
  if (is_floating_point()) return real;
  return scalar_type() == kBool ? Scalar(integer != 0) : Scalar(integer);
}

inline const Tensor& Tensor::fill_(Scalar value) const {
  get();
  check_status(table->fill(m_impl, value.toDouble()));
  return *this;
}

inline const Tensor& Tensor::copy_(const Tensor& source, bool) const {
  const Tensor expanded = source.sizes() == sizes() ? source : source.expand(sizes());
  check_status(table->copy(m_impl, expanded.impl()));
  return *this;
}

inline Tensor Tensor::contiguous(MemoryFormat format) const {
  if (is_contiguous(format)) return *this;
  Tensor result = empty(sizes(), options(), format);
  result.copy_(*this);
  return result;
}

inline Tensor Tensor::clone(MemoryFormat format) const {
  Tensor result = empty_like(*this, {}, format);
  result.copy_(*this);
  return result;
}

inline Tensor Tensor::to(TensorOptions options, bool, bool copy) const {
  const TensorOptions wanted = options.over(this->options());
  const bool same_device =
      wanted.device().type() == device().type() &&
      (!wanted.device().has_index() || wanted.device().index() == device().index());
  if (!copy && wanted.dtype() == scalar_type() && (same_device || wanted.device() == device())) {
    return *this;
  }
  Tensor result = empty_like(*this, wanted);
  result.copy_(*this);
  return result;
}

}  // namespace rkb
