#pragma once

#include <robust_kbench/shim/tensor.h>

namespace rkb {

Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {});

Tensor empty(IntArrayRef sizes, TensorOptions options = {},
             MemoryFormat format = MemoryFormat::Contiguous);

Tensor empty_like(const Tensor& like, TensorOptions options = {},
                  MemoryFormat format = MemoryFormat::Preserve);

Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options = {});
Tensor zeros(IntArrayRef sizes, TensorOptions options = {});
Tensor ones(IntArrayRef sizes, TensorOptions options = {});
Tensor full_like(const Tensor& like, Scalar value, TensorOptions options = {});
Tensor zeros_like(const Tensor& like, TensorOptions options = {},
                  MemoryFormat format = MemoryFormat::Preserve);
Tensor ones_like(const Tensor& like, TensorOptions options = {});

#ifndef RKB_WITHOUT_OPERATORS
inline Tensor empty(IntArrayRef sizes, TensorOptions options,
                    const optional<MemoryFormat>& format) {
  return empty(sizes, options, format.value_or(MemoryFormat::Contiguous));
}
inline Tensor empty_like(const Tensor& like, TensorOptions options,
                         const optional<MemoryFormat>& format) {
  return empty_like(like, options, format.value_or(MemoryFormat::Preserve));
}
inline Tensor zeros_like(const Tensor& like, TensorOptions options,
                         const optional<MemoryFormat>& format) {
  return zeros_like(like, options, format.value_or(MemoryFormat::Preserve));
}
#endif

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {});
Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options = {});

// A tensor of given numbers, made on the CPU and then moved to the device of `options`.
Tensor tensor_of(const void* values, std::size_t count, ScalarType type, TensorOptions options);
template <typename T>
Tensor tensor(ArrayRef<T> values, TensorOptions options = {}) {
  return tensor_of(values.data(), values.size(), CppTypeToScalarType<T>::value, options);
}
template <typename T>
Tensor tensor(std::initializer_list<T> values, TensorOptions options = {}) {
  return tensor(ArrayRef<T>(values.begin(), values.size()), options);
}
#ifndef RKB_WITHOUT_VECTOR
template <typename T>
Tensor tensor(const std::vector<T>& values, TensorOptions options = {}) {
  return tensor(ArrayRef<T>(values), options);
}
#endif
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
Tensor tensor(T value, TensorOptions options = {}) {
  return full({}, value,
              options.has_dtype() ? options : options.dtype(CppTypeToScalarType<T>::value));
}
Tensor scalar_tensor(Scalar value, TensorOptions options = {});

}  // namespace rkb
