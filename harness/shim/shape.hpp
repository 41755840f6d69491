#pragma once

#include <robust_kbench/shim/array_ref.h>
#include <robust_kbench/shim/options.h>

namespace rkb {

// A small vector for computing sizes or strides, on the stack without allocation.
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

// The index of a dimension, which may be given as negative from the end.
std::int64_t wrap_dim(std::int64_t dim, std::int64_t rank);
std::int64_t product(IntArrayRef sizes);
DimVector contiguous_strides(IntArrayRef sizes);
// Dense strides with the order of dimensions of `strides`, as by torch's preserve_format.
DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides);
// The sizes with a -1 replaced by the size that the number of elements requires.
DimVector infer_size(IntArrayRef shape, std::int64_t numel);
// Sets the strides that give the same memory the sizes `to`. False if a copy is needed.
bool view_strides(IntArrayRef sizes, IntArrayRef strides, IntArrayRef to, DimVector& result);
// The strides of a dense tensor in that format. Tensors whose rank the format does not fit are
// contiguous.
DimVector format_strides(IntArrayRef sizes, MemoryFormat format);

}  // namespace rkb
