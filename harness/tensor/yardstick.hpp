#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tensor/output_parts.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

// The error of float32 in the outputs of a config on one kind of content, by which kernels are
// measured. docs/precision.md derives it.
namespace robust_kbench {

// Tensors of a call with the float64 references of its outputs.
struct Draw {
  Tensors tensors;
  std::vector<at::Tensor> references;
  OutputParts parts = {};
};

// The limits of a config's outputs, in their order, on typical content or on that of a probe.
// `draw` makes content of that kind from a seed, and is called with three seeds.
//
// The yardstick is the largest of three errors. Torch's own float32 makes the first, a plain loop
// by the model of longest_sums the second, and inputs that are an ulp off the third. A task without
// longest_sums keeps its tolerance, which follows the output's magnitude on a probe. An output of
// float64 or of integers keeps its tolerance, too. One of 16 bits may also err by its rounding.
// Throws UserError if longest_sums does not give at least 1 for each output.
std::vector<PrecisionLimits> measure_limits(const Workload& workload, std::optional<Probe> probe,
                                            const std::function<Draw(std::uint64_t seed)>& draw);

// The measured error of a float32 sum of `terms` terms, relative to the root mean square of such
// sums. Up to 4096 terms are added in order. More are added in parts of 4096, whose sums are added
// then.
double relative_error_of_sum(std::int64_t terms);

// The same for equal terms, where many additions in a row round the same way. Up to 512 are added
// in order. More are added in parts of 512, whose sums err as those of few terms do.
double relative_error_of_equal_terms(std::int64_t terms);

}  // namespace robust_kbench
