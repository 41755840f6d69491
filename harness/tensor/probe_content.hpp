#pragma once

#include <cstdint>

#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

// The content of single tensors of a probe's call (tensor/probe.hpp).
namespace robust_kbench {

// The source of the content of a probe's tensors.
struct ProbeSource {
  const Task& task;
  Probe probe;
  std::uint64_t seed;
  c10::Device device;

  [[nodiscard]] bool enlarges() const { return seed % 2 != 0; }
  // The tensor as the task draws it.
  [[nodiscard]] at::Tensor typical(const TensorSpec& spec) const;
  // Further numbers for the same tensor, of another shape, uniform in [low, high).
  [[nodiscard]] at::Tensor uniform_numbers(const TensorSpec& spec, const char* purpose,
                                           std::vector<std::int64_t> shape, double low,
                                           double high) const;
};

// Integers from -most to most. Some zeros are negative.
at::Tensor small_integers(const ProbeSource& source, const TensorSpec& spec, const char* purpose,
                          std::vector<std::int64_t> shape, int most);

// 1000 for an odd seed, 1/1000 for an even one.
double scale_of(std::uint64_t seed);

// Repeats the first row, along the leading dimension, in place of every other. Scalars stay as they
// are.
at::Tensor with_repeated_row(const at::Tensor& tensor);

// Elements that differ by 1 to 3 ulp from a common one, and by 1e-6 in every second row, or plane
// of an image. For an even seed each row is 1 or -1, and its elements are off by 2^-15 or not.
at::Tensor nearly_equal(const ProbeSource& source, const TensorSpec& spec);

// Weights of small integers whose sums are 0 along all dimensions but the first, and along the
// first of two. Their sums of products with nearly_equal() for an even seed are multiples of 2^-15,
// which float32 computes exactly. Vectors, as biases, are 2^-16 or -2^-16, so that no result is 0.
at::Tensor cancelling(const ProbeSource& source, const TensorSpec& spec);

// The values that the task draws for seed 1 with few bits, so that their sums do not depend on the
// order. For another even seed they stand in another order: rows of inputs, elements of weights. An
// odd seed has values of its own.
at::Tensor permuted_rows(const ProbeSource& source, const TensorSpec& spec);
at::Tensor permuted_elements(const ProbeSource& source, const TensorSpec& spec);

// Masks a quarter of the elements of floating inputs, in place, as attention and padding do. Where
// integers of an input may be the index of a class, that class is not masked.
void mask_inputs(const ProbeSource& source, const std::vector<TensorSpec>& specs,
                 const Tensors& tensors);

// The length of a row. A row is one index of all dimensions but the last, or of the leading one if
// there are at least four. So an image is one row, and so is the vector of one token.
std::int64_t row_length(const std::vector<std::int64_t>& shape);

// The length of the stretch in whose middle values change: the row itself, or each plane of an
// image.
std::int64_t plane_length(const std::vector<std::int64_t>& shape);

at::Tensor indices(std::int64_t count, c10::Device device);

// A task's input or weight with a probe's content, in the spec's shape and dtype. The spec must be
// present.
at::Tensor probed_input(const TensorSpec& spec, const ProbeSource& source);
at::Tensor probed_weight(const TensorSpec& spec, const ProbeSource& source);

}  // namespace robust_kbench
