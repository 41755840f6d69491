#pragma once

#include <cstdint>

#include "check.hpp"
#include "simd.hpp"

#include <torch/extension.h>

// Parts that the forward and backward kernels of cross entropy share.
namespace kernels {

inline void check_cross_entropy(const torch::Tensor& predictions, const torch::Tensor& targets) {
  CHECK_FLOAT_INPUT(predictions);
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && targets.size(0) == predictions.size(0),
      "predictions must be (batch, classes) and targets (batch)");
  TORCH_CHECK(targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
              "targets must be a contiguous int64 tensor");
  const int64_t* target = targets.data_ptr<int64_t>();
  for (int64_t i = 0; i < targets.size(0); ++i) {
    TORCH_CHECK(target[i] >= 0 && target[i] < predictions.size(1), "target ", target[i],
                " is not one of the ", predictions.size(1), " classes");
  }
}

// Calls visit(eight) for a row's classes, eight at a time, -infinity in lanes that hold none.
template <class Visit>
KERNELS_INLINE void for_eights(const float* row, int64_t count, const Visit& visit) {
  int64_t j = 0;
  for (; j + kLanes <= count; j += kLanes) visit(load(row + j));
  if (j == count) return;
  visit(count > kLanes ? load_last(row + count, count - j, -HUGE_VALF)
                       : load_first(row, count, -HUGE_VALF));
}

// The maximum and the sum that turn a row into its softmax, e^(x - max) / sum.
struct Softmax {
  float max;
  float sum;
};

// Reads a row twice, the second time from the first-level cache.
KERNELS_INLINE Softmax softmax_of(const float* row, int64_t count) {
  Vec greatest = broadcast(-HUGE_VALF);
  for_eights(row, count, [&](Vec x) { greatest = x > greatest ? x : greatest; });
  const float max = maximum(greatest);
  Vec total = {};
  for_eights(row, count, [&](Vec x) { total += exponential(x - max); });
  return {max, sum(total)};
}

}  // namespace kernels
