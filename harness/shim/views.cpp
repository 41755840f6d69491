#include <utility>

#include "shim/shape.hpp"
#include <robust_kbench/shim/tensor.h>

// Views are computed from sizes and strides alone, without torch.
namespace rkb {

Tensor Tensor::as_strided(IntArrayRef sizes, IntArrayRef strides,
                          std::int64_t storage_offset) const {
  TORCH_CHECK(sizes.size() == strides.size(), "as_strided: ", sizes.size(), " sizes but ",
              strides.size(), " strides");
  get();
  rkb_tensor* impl = table->as_strided(m_impl, sizes.data(), strides.data(),
                                       static_cast<std::int32_t>(sizes.size()), storage_offset);
  if (C10_UNLIKELY(impl == nullptr)) throw_table_error();
  return adopt(impl);
}

Tensor Tensor::view(IntArrayRef shape) const {
  const DimVector sizes = infer_size(shape, numel());
  DimVector strides;
  TORCH_CHECK(view_strides(this->sizes(), this->strides(), sizes, strides),
              "view size is not compatible with input tensor's size and stride (at least one "
              "dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  return as_strided(sizes, strides, storage_offset());
}

Tensor Tensor::reshape(IntArrayRef shape) const {
  const DimVector sizes = infer_size(shape, numel());
  DimVector strides;
  if (view_strides(this->sizes(), this->strides(), sizes, strides)) {
    return as_strided(sizes, strides, storage_offset());
  }
  return contiguous().view(sizes);
}

Tensor Tensor::flatten(std::int64_t first, std::int64_t last) const {
  first = wrap_dim(first, dim());
  last = wrap_dim(last, dim());
  TORCH_CHECK(first <= last, "flatten() has invalid args: start_dim cannot come after end_dim");
  DimVector shape;
  for (std::int64_t i = 0; i < first; ++i) shape.push_back(size(i));
  shape.push_back(dim() == 0 ? 1 : product(sizes().slice(first, last - first + 1)));
  for (std::int64_t i = last + 1; i < dim(); ++i) shape.push_back(size(i));
  return reshape(shape);
}

Tensor Tensor::permute(IntArrayRef order) const {
  TORCH_CHECK(static_cast<std::int64_t>(order.size()) == dim(), "permute: ", order.size(),
              " dimensions given for a tensor of ", dim());
  DimVector sizes;
  DimVector strides;
  std::uint64_t seen = 0;
  for (const std::int64_t asked : order) {
    const std::int64_t from = wrap_dim(asked, dim());
    TORCH_CHECK((seen >> from & 1U) == 0, "permute(dims): duplicate dims are not allowed.");
    seen |= std::uint64_t{1} << from;
    sizes.push_back(size(from));
    strides.push_back(stride(from));
  }
  return as_strided(sizes, strides, storage_offset());
}

Tensor Tensor::transpose(std::int64_t a, std::int64_t b) const {
  a = wrap_dim(a, dim());
  b = wrap_dim(b, dim());
  DimVector sizes(this->sizes());
  DimVector strides(this->strides());
  if (dim() > 0) {
    std::swap(sizes[a], sizes[b]);
    std::swap(strides[a], strides[b]);
  }
  return as_strided(sizes, strides, storage_offset());
}

Tensor Tensor::t() const {
  TORCH_CHECK(dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", dim(), "D");
  return dim() < 2 ? *this : transpose(0, 1);
}

Tensor Tensor::select(std::int64_t dim, std::int64_t index) const {
  dim = checked_dim(dim);
  const std::int64_t length = size(dim);
  TORCH_CHECK_INDEX(index >= -length && index < length, "select(): index ", index,
                    " out of range for tensor of size ", sizes(), " at dimension ", dim);
  DimVector sizes(this->sizes());
  DimVector strides(this->strides());
  const std::int64_t at = index < 0 ? index + length : index;
  const std::int64_t offset = storage_offset() + at * strides[dim];
  sizes.erase(dim);
  strides.erase(dim);
  return as_strided(sizes, strides, offset);
}

Tensor Tensor::slice(std::int64_t dim, optional<std::int64_t> start, optional<std::int64_t> end,
                     std::int64_t step) const {
  dim = checked_dim(dim);
  TORCH_CHECK(step > 0, "slice step must be positive");
  const std::int64_t length = size(dim);
  const auto clamped = [length](std::int64_t at) {
    if (at < 0) at += length;
    return at < 0 ? 0 : at > length ? length : at;
  };
  const std::int64_t from = clamped(start.value_or(0));
  const std::int64_t until = clamped(end.value_or(length));
  DimVector sizes(this->sizes());
  DimVector strides(this->strides());
  const std::int64_t offset = storage_offset() + from * strides[dim];
  sizes[dim] = until > from ? (until - from + step - 1) / step : 0;
  strides[dim] *= step;
  return as_strided(sizes, strides, offset);
}

Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
  return slice(dim, start, start + length);
}

Tensor Tensor::unsqueeze(std::int64_t dim) const {
  dim = wrap_dim(dim, this->dim() + 1);
  DimVector sizes(this->sizes());
  DimVector strides(this->strides());
  const std::int64_t stride = dim < this->dim() ? sizes[dim] * strides[dim] : 1;
  sizes.insert(dim, 1);
  strides.insert(dim, stride);
  return as_strided(sizes, strides, storage_offset());
}

Tensor Tensor::squeeze(std::int64_t dim) const {
  dim = wrap_dim(dim, this->dim());
  if (this->dim() == 0 || size(dim) != 1) return *this;
  return select(dim, 0);
}

Tensor Tensor::squeeze() const {
  DimVector sizes;
  DimVector strides;
  for (std::int64_t i = 0; i < dim(); ++i) {
    if (size(i) == 1) continue;
    sizes.push_back(size(i));
    strides.push_back(stride(i));
  }
  return as_strided(sizes, strides, storage_offset());
}

Tensor Tensor::expand(IntArrayRef shape) const {
  const std::int64_t added = static_cast<std::int64_t>(shape.size()) - dim();
  TORCH_CHECK(added >= 0, "expand: ", shape, " has fewer dimensions than the tensor ", sizes());
  DimVector sizes(shape);
  DimVector strides(shape);
  for (std::int64_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t from = i - added;
    const std::int64_t old = from < 0 ? 1 : size(from);
    if (sizes[i] == -1 && from >= 0) sizes[i] = old;
    TORCH_CHECK(old == sizes[i] || old == 1, "The expanded size of the tensor (", sizes[i],
                ") must match the existing size (", old, ") at non-singleton dimension ", i);
    strides[i] = from < 0 || old != sizes[i] ? 0 : stride(from);
  }
  return as_strided(sizes, strides, storage_offset());
}

}  // namespace rkb
