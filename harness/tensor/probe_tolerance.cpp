#include "tensor/probe_tolerance.hpp"

#include <algorithm>

#include "tensor/comparison.hpp"
#include "tensor/root_mean_square.hpp"

namespace robust_kbench {

Contract probe_contract(const Contract& contract, Probe probe,
                        const std::vector<at::Tensor>& references) {
  const double rounding = probe == Probe::inputs_around_100 ? 8.0 : 1.0;
  Contract probed = contract;
  for (std::size_t i = 0; i < std::min(references.size(), probed.outputs.size()); ++i) {
    if (!references[i].defined() || !references[i].is_floating_point()) continue;
    Tolerance tolerance = tolerance_of(probed.outputs[i]);
    tolerance.atol *= rounding * root_mean_square(references[i]);
    probed.outputs[i].tolerance = tolerance;
  }
  return probed;
}

}  // namespace robust_kbench
