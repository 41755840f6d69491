#pragma once

#include <utility>

#include <robust_kbench/shim/accessor.h>
#include <robust_kbench/shim/array_ref.h>
#include <robust_kbench/shim/options.h>
#include <robust_kbench/shim/scalar.h>
#include <robust_kbench/shim/table.h>
#ifndef RKB_WITHOUT_OPERATORS
#include <robust_kbench/shim/optional.h>
#include <robust_kbench/shim/tensor_operators.h>
#endif

namespace rkb {

class Tensor;

// c10::DeprecatedTypeProperties, for the old x.type().is_cuda() and AT_DISPATCH_...(x.type(), ...).
class TensorType {
 public:
  explicit TensorType(const rkb_tensor& tensor)
      : m_dtype(static_cast<ScalarType>(tensor.dtype)), m_cuda(tensor.device_type == RKB_CUDA) {}
  bool is_cuda() const { return m_cuda; }
  ScalarType scalarType() const { return m_dtype; }
  operator ScalarType() const { return m_dtype; }

 private:
  ScalarType m_dtype;
  bool m_cuda;
};

// at::Tensor over the table's reference-counted tensor. Properties are read from the struct. All
// that allocates or copies memory is a call of the table.
class Tensor {
 public:
  Tensor() = default;
  Tensor(const Tensor& other) noexcept : m_impl(other.m_impl) {
    if (m_impl != nullptr) table->retain(m_impl);
  }
  Tensor(Tensor&& other) noexcept : m_impl(std::exchange(other.m_impl, nullptr)) {}
  Tensor& operator=(const Tensor& other) & noexcept {
    Tensor copy(other);
    std::swap(m_impl, copy.m_impl);
    return *this;
  }
  Tensor& operator=(Tensor&& other) & noexcept {
    std::swap(m_impl, other.m_impl);
    return *this;
  }
  ~Tensor() {
    if (m_impl != nullptr) table->release(m_impl);
  }

  static Tensor adopt(rkb_tensor* impl) {
    Tensor tensor;
    tensor.m_impl = impl;
    return tensor;
  }
  static Tensor borrow(rkb_tensor* impl) {
    table->retain(impl);
    return adopt(impl);
  }
  rkb_tensor* release() { return std::exchange(m_impl, nullptr); }
  rkb_tensor* impl() const { return m_impl; }

  // Properties.
  bool defined() const { return m_impl != nullptr; }
  void reset() { *this = Tensor(); }
  bool is_same(const Tensor& other) const { return m_impl == other.m_impl; }
  std::int64_t dim() const { return get().dim; }
  std::int64_t ndimension() const { return dim(); }
  std::int64_t numel() const { return get().numel; }
  std::size_t element_size() const { return elementSize(scalar_type()); }
  std::int64_t itemsize() const { return static_cast<std::int64_t>(element_size()); }
  std::size_t nbytes() const { return static_cast<std::size_t>(numel()) * element_size(); }
  IntArrayRef sizes() const { return {get().sizes, static_cast<std::size_t>(get().dim)}; }
  IntArrayRef strides() const { return {get().strides, static_cast<std::size_t>(get().dim)}; }
  std::int64_t size(std::int64_t dim) const { return get().sizes[checked_dim(dim)]; }
  std::int64_t stride(std::int64_t dim) const { return get().strides[checked_dim(dim)]; }
  std::int64_t storage_offset() const { return get().storage_offset; }
  ScalarType scalar_type() const { return static_cast<ScalarType>(get().dtype); }
  ScalarType dtype() const { return scalar_type(); }
  TensorType type() const { return TensorType(get()); }
  Device device() const {
    return {static_cast<DeviceType>(get().device_type),
            static_cast<DeviceIndex>(is_cuda() ? m_impl->device_index : -1)};
  }
  std::int64_t get_device() const { return is_cuda() ? m_impl->device_index : -1; }
  Layout layout() const { return kStrided; }
  TensorOptions options() const { return TensorOptions(scalar_type()).device(device()); }
  bool is_cuda() const { return get().device_type == RKB_CUDA; }
  bool is_cpu() const { return get().device_type == RKB_CPU; }
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_sparse() const { return false; }
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  bool requires_grad() const { return false; }
  const Tensor& requires_grad_(bool = true) const { return *this; }
  Tensor detach() const { return *this; }

  // Memory.
  void* data_ptr() const { return get().data; }
  const void* const_data_ptr() const { return get().data; }
  void* mutable_data_ptr() const { return get().data; }
  template <typename T>
  T* data_ptr() const {
    using Element = std::remove_const_t<T>;
    check_element(CppTypeToScalarType<Element>::value);
    return static_cast<T*>(m_impl->data);
  }
  template <typename T>
  T* data() const {
    return data_ptr<T>();
  }
  template <typename T>
  const T* const_data_ptr() const {
    return data_ptr<T>();
  }
  template <typename T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }
  template <typename T>
  T item() const {
    return item().template to<T>();
  }
  Scalar item() const;

  template <typename T, std::size_t N>
  TensorAccessor<T, N> accessor() const& {
    check_rank(N);
    return {data_ptr<T>(), m_impl->sizes, m_impl->strides};
  }
  template <typename T, std::size_t N, template <typename> class Pointer = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Pointer> packed_accessor32() const& {
    check_rank(N);
    TORCH_CHECK(
        numel() <= 0x7fffffff,
        "numel needs to be smaller than int32_t max; otherwise, please use packed_accessor64");
    return {data_ptr<T>(), m_impl->sizes, m_impl->strides};
  }
  template <typename T, std::size_t N, template <typename> class Pointer = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Pointer> packed_accessor64() const& {
    check_rank(N);
    return {data_ptr<T>(), m_impl->sizes, m_impl->strides};
  }

  // Views of the same memory.
  Tensor as_strided(IntArrayRef sizes, IntArrayRef strides, std::int64_t storage_offset) const;
  Tensor as_strided(IntArrayRef sizes, IntArrayRef strides) const {
    return as_strided(sizes, strides, storage_offset());
  }
  Tensor view(IntArrayRef shape) const;
  Tensor view_as(const Tensor& other) const { return view(other.sizes()); }
  Tensor reshape(IntArrayRef shape) const;
  Tensor reshape_as(const Tensor& other) const { return reshape(other.sizes()); }
  Tensor flatten(std::int64_t first = 0, std::int64_t last = -1) const;
  Tensor permute(IntArrayRef order) const;
  Tensor transpose(std::int64_t a, std::int64_t b) const;
  Tensor t() const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor squeeze(std::int64_t dim) const;
  Tensor squeeze() const;
  Tensor expand(IntArrayRef shape) const;
  Tensor expand_as(const Tensor& other) const { return expand(other.sizes()); }

  // Copies.
  Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  Tensor clone(MemoryFormat format = MemoryFormat::Preserve) const;
  Tensor to(TensorOptions options, bool non_blocking = false, bool copy = false) const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false) const {
    return to(TensorOptions(dtype), non_blocking, copy);
  }
  Tensor to(Device device, bool non_blocking = false, bool copy = false) const {
    return to(TensorOptions(device), non_blocking, copy);
  }
  Tensor to(DeviceType type, bool non_blocking = false, bool copy = false) const {
    return to(Device(type), non_blocking, copy);
  }
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false) const {
    return to(TensorOptions(device).dtype(dtype), non_blocking, copy);
  }
  Tensor to(const Tensor& like) const { return to(like.options()); }
  Tensor type_as(const Tensor& like) const { return to(like.options()); }
  Tensor toType(ScalarType dtype) const { return to(dtype); }
  Tensor cpu() const { return to(Device(kCPU)); }
  Tensor cuda() const { return to(Device(kCUDA)); }
  const Tensor& copy_(const Tensor& source, bool non_blocking = false) const;
  const Tensor& fill_(Scalar value) const;
  const Tensor& zero_() const { return fill_(0); }

  // New tensors with this one's dtype and device.
  Tensor new_empty(IntArrayRef sizes, TensorOptions options = {}) const;
  Tensor new_zeros(IntArrayRef sizes, TensorOptions options = {}) const;
  Tensor new_ones(IntArrayRef sizes, TensorOptions options = {}) const;
  Tensor new_full(IntArrayRef sizes, Scalar value, TensorOptions options = {}) const;

#ifndef RKB_WITHOUT_OPERATORS
  Tensor slice(std::int64_t dim = 0, optional<std::int64_t> start = nullopt,
               optional<std::int64_t> end = nullopt, std::int64_t step = 1) const;

  // Operators of torch, through the table's boxed call.
  RKB_DECLARE_TENSOR_OPERATORS
#endif

 private:
  const rkb_tensor& get() const {
    if (C10_UNLIKELY(m_impl == nullptr)) throw_undefined();
    return *m_impl;
  }
  std::int64_t checked_dim(std::int64_t index) const {
    const std::int64_t rank = dim();
    if (C10_UNLIKELY(index < -rank || index >= rank)) throw_no_such_dim(index);
    return index < 0 ? index + rank : index;
  }
  void check_element(ScalarType asked) const {
    if (C10_UNLIKELY(scalar_type() != asked)) throw_other_element(asked);
  }
  void check_rank(std::size_t asked) const {
    if (C10_UNLIKELY(dim() != static_cast<std::int64_t>(asked))) throw_other_rank(asked);
  }
  [[noreturn]] RKB_COLD static void throw_undefined();
  [[noreturn]] RKB_COLD void throw_no_such_dim(std::int64_t index) const;
  [[noreturn]] RKB_COLD void throw_other_element(ScalarType asked) const;
  [[noreturn]] RKB_COLD void throw_other_rank(std::size_t asked) const;

  rkb_tensor* m_impl = nullptr;
};

// Torch's class without the operators, which cost nothing here.
using TensorBase = Tensor;
using TensorList = ArrayRef<Tensor>;

#ifndef RKB_WITHOUT_OPERATORS
inline optional<Device> device_of(const Tensor& tensor) {
  return tensor.defined() ? optional<Device>(tensor.device()) : nullopt;
}
inline optional<Device> device_of(const optional<Tensor>& tensor) {
  return tensor.has_value() ? device_of(*tensor) : nullopt;
}
inline optional<Device> device_of(TensorList tensors) {
  return tensors.empty() ? nullopt : device_of(tensors.front());
}
#endif

}  // namespace rkb
