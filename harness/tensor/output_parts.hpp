#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

// Parts of outputs on which float32 errs by other amounts, since a probe's content is not alike
// everywhere. Each is held to limits of its own.
namespace robust_kbench {

struct OutputPart {
  std::string name;  // completes "less precise in ..."
  at::Tensor mask;   // bool, of the output's shape
  // Its sums may have a term that is much larger than all others.
  bool has_outliers = false;
};

// The parts of each output, in their order. Together they are the whole output. None: the output is
// not divided.
using OutputParts = std::vector<std::vector<OutputPart>>;

// The parts of a probe's outputs. `tensors` are those of probe_tensors() for the seed, and
// `references` their float64 results. All contents of a probe give an output the same number of
// parts, of which some may have no element.
//
// An output of `outlier` has what no outlier changes, and the rest. What lies within 3 pixels of a
// change counts as changed, since a convolution in tiles mixes such neighbours. An output of
// `mixed_rows` that has a row for each row of the inputs has a part for each magnitude.
OutputParts output_parts(const Workload& workload, Probe probe, std::uint64_t seed,
                         const Tensors& tensors, const std::vector<at::Tensor>& references);

}  // namespace robust_kbench
