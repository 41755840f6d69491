#include "shim/shape.hpp"

namespace rkb {

std::int64_t wrap_dim(std::int64_t dim, std::int64_t rank) {
  const std::int64_t range = rank == 0 ? 1 : rank;
  TORCH_CHECK_INDEX(dim >= -range && dim < range,
                    "Dimension out of range (expected to be in range of [", -range, ", ", range - 1,
                    "], but got ", dim, ")");
  return dim < 0 ? dim + range : dim;
}

std::int64_t product(IntArrayRef sizes) {
  std::int64_t result = 1;
  for (const std::int64_t size : sizes) result *= size;
  return result;
}

DimVector contiguous_strides(IntArrayRef sizes) {
  DimVector strides(sizes);
  std::int64_t stride = 1;
  for (std::int64_t i = static_cast<std::int64_t>(sizes.size()) - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= sizes[i] > 1 ? sizes[i] : 1;
  }
  return strides;
}

DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides) {
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

DimVector infer_size(IntArrayRef shape, std::int64_t numel) {
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

bool view_strides(IntArrayRef sizes, IntArrayRef strides, IntArrayRef to, DimVector& result) {
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

DimVector format_strides(IntArrayRef sizes, MemoryFormat format) {
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

}  // namespace rkb
