#include "bench/noop_cost.hpp"

#include <algorithm>

#include "ipc/baseline_load.hpp"

namespace robust_kbench {
namespace {

NoopCost cost_of(TimedWorker& worker, const Load& noop, std::size_t calls) {
  worker.load(noop);
  const std::uint64_t one = worker.run_noop(1);
  return NoopCost::of(one, worker.run_noop(calls), calls);
}

}  // namespace

NoopCost NoopCost::of(std::uint64_t one_ns, std::uint64_t many_ns, std::size_t calls) {
  const double more = static_cast<double>(many_ns) - static_cast<double>(one_ns);
  const double call_ns = calls > 1 ? std::max(0.0, more / static_cast<double>(calls - 1)) : 0.0;
  return {.batch_ns = static_cast<double>(one_ns), .call_ns = call_ns};
}

std::uint64_t NoopCost::of_calls(std::size_t calls) const {
  return static_cast<std::uint64_t>(batch_ns + call_ns * static_cast<double>(calls - 1));
}

NoopCosts measure_noop(TimedWorker& worker, std::size_t calls, bool gpu) {
  NoopCosts costs;
  costs.least = cost_of(worker, encode({.kind = BaselineLoad::Kind::noop}), calls);
  costs.most = gpu ? cost_of(worker, encode({.kind = BaselineLoad::Kind::dirtying_noop}), calls)
                   : costs.least;
  return costs;
}

}  // namespace robust_kbench
