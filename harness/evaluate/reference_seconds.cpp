#include "evaluate/reference_seconds.hpp"

#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

// The least speed of float64 references, in FLOP/s and in bytes of a contract's cost per second.
// The first is that of two cores of a server, the second that of an H100.
struct ReferenceSpeed {
  double flops;
  double bytes;
};
constexpr ReferenceSpeed cpu_speed{1e10, 1e9};
constexpr ReferenceSpeed gpu_speed{2e12, 5e10};

}  // namespace

double reference_seconds(const Workload& workload, Device device) {
  const auto [flops, bytes] = device == Device::cuda ? gpu_speed : cpu_speed;
  const Cost cost = cost_of(workload);
  return cost.flops / flops + cost.bytes / bytes;
}

}  // namespace robust_kbench
