#include "check/case_limits.hpp"

#include "check/limits_cache.hpp"
#include "tensor/yardstick.hpp"

namespace robust_kbench {

std::vector<PrecisionLimits> case_limits(
    const Workload& workload, const Case& of, std::uint64_t seed,
    const std::function<std::shared_ptr<const Content>(std::uint64_t seed)>& draw) {
  return measure_limits(workload, of.probe, [&](std::uint64_t number) {
    const auto drawn = draw(has_two_kinds(of) ? 2 * number + seed % 2 : number);
    return Draw{drawn->tensors, drawn->references, drawn->parts};
  });
}

}  // namespace robust_kbench
