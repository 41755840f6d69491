#include "bench/timed_limits.hpp"

#include <algorithm>

#include "check/call_checker.hpp"
#include "tensor/generator.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/torch_cuda.hpp"
#include "tensor/yardstick.hpp"

namespace robust_kbench {

OutputLimits timed_limits(LimitsCache& limits, const Workload& workload, const Config& config,
                          bool gpu) {
  const std::vector<TensorSpec> specs = workload.tensor_specs();
  const bool varies = std::any_of(specs.begin(), specs.end(), has_spread);
  return limits.get(content_kind({.config = config}, 0) + (varies ? " varied" : ""), [&] {
    return measure_limits(workload, std::nullopt, [&](std::uint64_t seed) {
      Content content =
          make_content(workload, make_tensors(workload, seed, device_for(gpu), Constants::varied));
      return Draw{std::move(content.tensors), std::move(content.references)};
    });
  });
}

}  // namespace robust_kbench
