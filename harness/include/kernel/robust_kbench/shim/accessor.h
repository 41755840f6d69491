#pragma once

#include <cstddef>
#include <cstdint>

#include <robust_kbench/shim/macros.h>

namespace rkb {

template <typename T>
struct DefaultPtrTraits {
  using PtrType = T*;
};

template <typename T>
struct RestrictPtrTraits {
  using PtrType = T* __restrict__;
};

// Element access by index, with borrowed sizes and strides.
template <typename T, std::size_t N, template <typename> class Pointer = DefaultPtrTraits,
          typename Index = std::int64_t>
class TensorAccessor {
 public:
  using PtrType = typename Pointer<T>::PtrType;

  C10_HOST_DEVICE TensorAccessor(PtrType data, const Index* sizes, const Index* strides)
      : m_data(data), m_sizes(sizes), m_strides(strides) {}

  C10_HOST_DEVICE Index size(Index dim) const { return m_sizes[dim]; }
  C10_HOST_DEVICE Index stride(Index dim) const { return m_strides[dim]; }
  C10_HOST_DEVICE PtrType data() const { return m_data; }

  C10_HOST_DEVICE decltype(auto) operator[](Index index) const {
    if constexpr (N == 1) {
      return static_cast<T&>(m_data[m_strides[0] * index]);
    } else {
      return TensorAccessor<T, N - 1, Pointer, Index>(m_data + m_strides[0] * index, m_sizes + 1,
                                                      m_strides + 1);
    }
  }

 private:
  PtrType m_data;
  const Index* m_sizes;
  const Index* m_strides;
};

// An accessor with sizes and strides of its own, so that it can be an argument of a CUDA kernel.
template <typename T, std::size_t N, template <typename> class Pointer, typename Index>
class GenericPackedTensorAccessor {
 public:
  using PtrType = typename Pointer<T>::PtrType;

  GenericPackedTensorAccessor(PtrType data, const std::int64_t* sizes, const std::int64_t* strides)
      : m_data(data) {
    for (std::size_t i = 0; i < N; ++i) {
      m_sizes[i] = static_cast<Index>(sizes[i]);
      m_strides[i] = static_cast<Index>(strides[i]);
    }
  }

  C10_HOST_DEVICE Index size(Index dim) const { return m_sizes[dim]; }
  C10_HOST_DEVICE Index stride(Index dim) const { return m_strides[dim]; }
  C10_HOST_DEVICE PtrType data() const { return m_data; }

  C10_HOST_DEVICE decltype(auto) operator[](Index index) const {
    return TensorAccessor<T, N, Pointer, Index>(m_data, m_sizes, m_strides)[index];
  }

 private:
  PtrType m_data;
  Index m_sizes[N];
  Index m_strides[N];
};

template <typename T, std::size_t N, template <typename> class Pointer = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Pointer, std::int32_t>;
template <typename T, std::size_t N, template <typename> class Pointer = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Pointer, std::int64_t>;

}  // namespace rkb
