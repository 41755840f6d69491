#include "worker/elements.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "worker/tensor.hpp"
#include <robust_kbench/shim/half.h>

namespace robust_kbench {
namespace {

template <typename T>
struct Type {
  using type = T;
};

// Calls `f` with the C++ type of a dtype.
template <typename F>
void visit(int dtype, const F& f) {
  switch (dtype) {
    case RKB_UINT8:
      return f(Type<std::uint8_t>{});
    case RKB_INT8:
      return f(Type<std::int8_t>{});
    case RKB_INT16:
      return f(Type<std::int16_t>{});
    case RKB_INT32:
      return f(Type<std::int32_t>{});
    case RKB_INT64:
      return f(Type<std::int64_t>{});
    case RKB_FLOAT16:
      return f(Type<rkb::Half>{});
    case RKB_FLOAT32:
      return f(Type<float>{});
    case RKB_FLOAT64:
      return f(Type<double>{});
    case RKB_BOOL:
      return f(Type<bool>{});
    case RKB_BFLOAT16:
      return f(Type<rkb::BFloat16>{});
    default:
      return;
  }
}

template <typename To, typename From>
To convert(From value) {
  constexpr bool to_16_bits = std::is_same_v<To, rkb::Half> || std::is_same_v<To, rkb::BFloat16>;
  constexpr bool from_16_bits =
      std::is_same_v<From, rkb::Half> || std::is_same_v<From, rkb::BFloat16>;
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (from_16_bits) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (to_16_bits) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else {
    return static_cast<To>(value);
  }
}

// Calls row(offsets) for each innermost row, with the element offset of its start in two tensors.
template <typename Row>
void for_each_row(const rkb_tensor& a, const rkb_tensor& b, std::int32_t dim, std::int64_t at_a,
                  std::int64_t at_b, const Row& row) {
  if (dim >= a.dim - 1) return row(at_a, at_b);
  for (std::int64_t i = 0; i < a.sizes[dim]; ++i) {
    for_each_row(a, b, dim + 1, at_a + i * a.strides[dim], at_b + i * b.strides[dim], row);
  }
}

std::int64_t row_length(const rkb_tensor& tensor) {
  return tensor.dim == 0 ? 1 : tensor.sizes[tensor.dim - 1];
}
std::int64_t row_stride(const rkb_tensor& tensor) {
  return tensor.dim == 0 ? 1 : tensor.strides[tensor.dim - 1];
}

}  // namespace

bool is_contiguous(const rkb_tensor& tensor) {
  std::int64_t stride = 1;
  for (std::int32_t i = tensor.dim - 1; i >= 0; --i) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != stride) return false;
    stride *= tensor.sizes[i];
  }
  return true;
}

void copy_elements(const rkb_tensor& destination, const rkb_tensor& source) {
  if (destination.numel == 0) return;
  if (destination.dtype == source.dtype && is_contiguous(destination) && is_contiguous(source)) {
    const auto elements = static_cast<std::size_t>(destination.numel);
    std::memmove(destination.data, source.data, elements * element_size(destination.dtype));
    return;
  }
  const std::int64_t length = row_length(destination);
  const std::int64_t to_stride = row_stride(destination);
  const std::int64_t from_stride = row_stride(source);
  visit(destination.dtype, [&](auto to_type) {
    visit(source.dtype, [&](auto from_type) {
      using To = typename decltype(to_type)::type;
      using From = typename decltype(from_type)::type;
      auto* to = static_cast<To*>(destination.data);
      const auto* from = static_cast<const From*>(source.data);
      for_each_row(destination, source, 0, 0, 0, [&](std::int64_t at_to, std::int64_t at_from) {
        for (std::int64_t i = 0; i < length; ++i) {
          to[at_to + i * to_stride] = convert<To>(from[at_from + i * from_stride]);
        }
      });
    });
  });
}

void fill_elements(const rkb_tensor& tensor, double value) {
  if (tensor.numel == 0) return;
  visit(tensor.dtype, [&](auto type) {
    using T = typename decltype(type)::type;
    auto* data = static_cast<T*>(tensor.data);
    const T element = convert<T>(value);
    if (is_contiguous(tensor)) {
      std::fill_n(data, tensor.numel, element);
      return;
    }
    for_each_row(tensor, tensor, 0, 0, 0, [&](std::int64_t at, std::int64_t) {
      for (std::int64_t i = 0; i < row_length(tensor); ++i) {
        data[at + i * row_stride(tensor)] = element;
      }
    });
  });
}

Number first_element(const rkb_tensor& tensor) {
  Number number;
  visit(tensor.dtype, [&](auto type) {
    using T = typename decltype(type)::type;
    const T element = *static_cast<const T*>(tensor.data);
    number = {convert<double>(element), convert<std::int64_t>(element)};
  });
  return number;
}

}  // namespace robust_kbench
