#pragma once

#include <robust_kbench/facade/array_ref.h>
#include <robust_kbench/facade/check.h>

namespace rkb {

// Sizes or strides while they are computed: on the stack, no allocation.
class DimVector {
 public:
  static constexpr int capacity = 64;

  DimVector() = default;
  explicit DimVector(IntArrayRef values) {
    for (const std::int64_t value : values) push_back(value);
  }

  void push_back(std::int64_t value) {
    TORCH_CHECK(m_size < capacity, "a tensor has at most ", capacity, " dimensions here");
    m_values[m_size++] = value;
  }
  void insert(std::int64_t at, std::int64_t value) {
    push_back(value);
    for (int i = m_size - 1; i > at; --i) m_values[i] = m_values[i - 1];
    m_values[at] = value;
  }
  void erase(std::int64_t at) {
    for (int i = static_cast<int>(at); i + 1 < m_size; ++i) m_values[i] = m_values[i + 1];
    --m_size;
  }

  int size() const { return m_size; }
  const std::int64_t* data() const { return m_values; }
  std::int64_t& operator[](std::int64_t index) { return m_values[index]; }
  std::int64_t operator[](std::int64_t index) const { return m_values[index]; }
  operator IntArrayRef() const { return {m_values, static_cast<std::size_t>(m_size)}; }

 private:
  int m_size = 0;
  std::int64_t m_values[capacity];
};

// The index of a dimension that may count from the end.
inline std::int64_t wrap_dim(std::int64_t dim, std::int64_t rank) {
  const std::int64_t range = rank == 0 ? 1 : rank;
  if (C10_UNLIKELY(dim < -range || dim >= range)) {
    fail<IndexError>("Dimension out of range (expected to be in range of [", -range, ", ",
                     range - 1, "], but got ", dim, ")");
  }
  return dim < 0 ? dim + range : dim;
}

inline std::int64_t product(IntArrayRef sizes) {
  std::int64_t result = 1;
  for (const std::int64_t size : sizes) result *= size;
  return result;
}

inline DimVector contiguous_strides(IntArrayRef sizes) {
  DimVector strides(sizes);
  std::int64_t stride = 1;
  for (std::int64_t i = static_cast<std::int64_t>(sizes.size()) - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= sizes[i] > 1 ? sizes[i] : 1;
  }
  return strides;
}

// Dense strides whose order of dimensions is that of `strides`, as torch's preserve_format.
RKB_COLD inline DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides) {
  const int rank = static_cast<int>(sizes.size());
  int order[DimVector::capacity];  // innermost first
  for (int i = 0; i < rank; ++i) {
    int at = i;
    const int dim = rank - 1 - i;
    for (; at > 0 && strides[order[at - 1]] > strides[dim]; --at) order[at] = order[at - 1];
    order[at] = dim;
  }
  DimVector result(sizes);
  std::int64_t stride = 1;
  for (int i = 0; i < rank; ++i) {
    result[order[i]] = stride;
    stride *= sizes[order[i]] > 1 ? sizes[order[i]] : 1;
  }
  return result;
}

// Sizes with a -1 replaced by what the number of elements leaves for it.
RKB_COLD inline DimVector infer_size(IntArrayRef shape, std::int64_t numel) {
  DimVector sizes(shape);
  std::int64_t known = 1;
  int unknown = -1;
  for (int i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != -1) {
      known *= sizes[i];
    } else {
      TORCH_CHECK(unknown < 0, "only one dimension can be inferred");
      unknown = i;
    }
  }
  if (unknown >= 0 && known > 0 && numel % known == 0) {
    sizes[unknown] = numel / known;
    known = numel;
  }
  TORCH_CHECK(known == numel && (unknown < 0 || sizes[unknown] >= 0), "shape '", shape,
              "' is invalid for input of size ", numel);
  return sizes;
}

// The strides under which the same memory has the sizes `to`; false where a copy is needed.
RKB_COLD inline bool view_strides(IntArrayRef sizes, IntArrayRef strides, IntArrayRef to,
                                  DimVector& result) {
  result = contiguous_strides(to);
  if (sizes.empty() || product(sizes) == 0) return true;
  std::int64_t view_dim = static_cast<std::int64_t>(to.size()) - 1;
  std::int64_t chunk_stride = strides.back();
  std::int64_t chunk = 1;
  std::int64_t view_chunk = 1;
  for (std::int64_t dim = static_cast<std::int64_t>(sizes.size()) - 1; dim >= 0; --dim) {
    chunk *= sizes[dim];
    const bool chunk_ends =
        dim == 0 || (sizes[dim - 1] != 1 && strides[dim - 1] != chunk * chunk_stride);
    if (!chunk_ends) continue;
    while (view_dim >= 0 && (view_chunk < chunk || to[view_dim] == 1)) {
      result[view_dim] = view_chunk * chunk_stride;
      view_chunk *= to[view_dim];
      --view_dim;
    }
    if (view_chunk != chunk) return false;
    if (dim > 0) {
      chunk_stride = strides[dim - 1];
      chunk = 1;
      view_chunk = 1;
    }
  }
  return view_dim < 0;
}

}  // namespace rkb
