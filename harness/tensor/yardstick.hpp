#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

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
};

// What a config's outputs are held to on typical content, or on that of a probe, in their order.
// `draw` makes content of that kind from a seed, and is asked for three of them.
//
// The yardstick is the largest of three errors. Torch's own float32 makes the first, a plain loop
// by the model of longest_sums the second, and inputs that are an ulp off the third. A task without
// longest_sums keeps its tolerance, which follows the output's magnitude on a probe. So does an
// output of float64 or of integers. One of 16 bits may also err by its rounding. Throws UserError
// where longest_sums does not give at least 1 for each output.
std::vector<PrecisionLimits> measure_limits(const Workload& workload, std::optional<Probe> probe,
                                            const std::function<Draw(std::uint64_t seed)>& draw);

// The measured error of a float32 sum of so many terms, relative to the root mean square of such
// sums. Up to 4096 terms are added in order. More are added in parts of 4096, and their sums then.
double relative_error_of_sum(std::int64_t terms);

// The same of so many equal terms, where all additions round the same way for long. Up to 512 are
// added in order. More are added in parts of 512, whose sums err as those of few terms do.
double relative_error_of_equal_terms(std::int64_t terms);

}  // namespace robust_kbench
