#include "shim/message.hpp"
#include "shim/shape.hpp"
#include <robust_kbench/shim/factories.h>

namespace rkb {
namespace {

[[noreturn]] void throw_allocation_error(IntArrayRef sizes, ScalarType dtype) {
  const char* message = table->last_error();
  if (message != nullptr && message[0] != '\0') throw Error(message);
  throw OutOfMemoryError(text({"out of memory: no room for ", dtype, sizes}));
}

}  // namespace

Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  const Device device = options.device();
  rkb_tensor* impl =
      table->empty_strided(sizes.data(), strides.data(), static_cast<std::int32_t>(sizes.size()),
                           static_cast<std::int32_t>(options.dtype()),
                           static_cast<std::int32_t>(device.type()), device.index());
  if (C10_UNLIKELY(impl == nullptr)) throw_allocation_error(sizes, options.dtype());
  return Tensor::adopt(impl);
}

Tensor empty(IntArrayRef sizes, TensorOptions options, MemoryFormat format) {
  return empty_strided(sizes, format_strides(sizes, format), options);
}

Tensor empty_like(const Tensor& like, TensorOptions options, MemoryFormat format) {
  options = options.over(like.options());
  if (format != MemoryFormat::Preserve) return empty(like.sizes(), options, format);
  if (like.is_contiguous()) return empty(like.sizes(), options);
  return empty_strided(like.sizes(), dense_strides(like.sizes(), like.strides()), options);
}

Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options) {
  if (!options.has_dtype() && value.isIntegral(false)) options = options.dtype(kLong);
  if (!options.has_dtype() && value.isBoolean()) options = options.dtype(kBool);
  Tensor result = empty(sizes, options);
  result.fill_(value);
  return result;
}

Tensor zeros(IntArrayRef sizes, TensorOptions options) {
  Tensor result = empty(sizes, options);
  result.zero_();
  return result;
}

Tensor ones(IntArrayRef sizes, TensorOptions options) {
  Tensor result = empty(sizes, options);
  result.fill_(1);
  return result;
}

Tensor full_like(const Tensor& like, Scalar value, TensorOptions options) {
  Tensor result = empty_like(like, options);
  result.fill_(value);
  return result;
}

Tensor zeros_like(const Tensor& like, TensorOptions options, MemoryFormat format) {
  Tensor result = empty_like(like, options, format);
  result.zero_();
  return result;
}

Tensor ones_like(const Tensor& like, TensorOptions options) {
  return full_like(like, 1, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  rkb_tensor* impl = table->from_blob(
      data, sizes.data(), strides.data(), static_cast<std::int32_t>(sizes.size()),
      static_cast<std::int32_t>(options.dtype()),
      static_cast<std::int32_t>(options.device().type()), options.device().index());
  if (C10_UNLIKELY(impl == nullptr)) throw_table_error();
  return Tensor::adopt(impl);
}

Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options) {
  return from_blob(data, sizes, contiguous_strides(sizes), options);
}

Tensor tensor_of(const void* values, std::size_t count, ScalarType type, TensorOptions options) {
  const Tensor here =
      from_blob(const_cast<void*>(values), {static_cast<std::int64_t>(count)}, TensorOptions(type));
  return here.to(options, false, true);
}

Tensor scalar_tensor(Scalar value, TensorOptions options) {
  return full({}, value, options.has_dtype() ? options : options.dtype(kFloat));
}

Tensor Tensor::new_empty(IntArrayRef sizes, TensorOptions options) const {
  return empty(sizes, options.over(this->options()));
}

Tensor Tensor::new_zeros(IntArrayRef sizes, TensorOptions options) const {
  return zeros(sizes, options.over(this->options()));
}

Tensor Tensor::new_ones(IntArrayRef sizes, TensorOptions options) const {
  return ones(sizes, options.over(this->options()));
}

Tensor Tensor::new_full(IntArrayRef sizes, Scalar value, TensorOptions options) const {
  return full(sizes, value, options.over(this->options()));
}

}  // namespace rkb
