#include "evaluate/repeated_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

constexpr std::int64_t least_rows = 512;

bool same_shapes(const std::vector<TensorSpec>& some, const std::vector<TensorSpec>& others) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                    [](const TensorSpec& a, const TensorSpec& b) { return a.shape == b.shape; });
}

std::int64_t wanted_value(const SizeRange& size) {
  const std::int64_t rounded = (least_rows + size.multiple - 1) / size.multiple * size.multiple;
  return std::clamp(rounded, size.least, size.most / size.multiple * size.multiple);
}

}  // namespace

Config with_repeated_rows(const Task& task, Direction direction, Config config,
                          const std::function<bool(const Params&)>& acceptable) {
  const Workload now{task, direction, config.params};
  const std::int64_t rows = now.rows();
  if (!task.shapes || rows >= least_rows) return config;
  for (const SizeRange& size : task.shapes->sizes) {
    Params longer = config.params;
    longer.set(size.parameter, wanted_value(size));
    const Workload then{task, direction, longer};
    if (then.rows() <= rows) continue;
    if (!same_shapes(now.weight_specs(), then.weight_specs()) || !acceptable(longer) ||
        (task.shapes->valid && !task.shapes->valid(longer))) {
      continue;
    }
    config.name += "." + size.parameter + "_" + std::to_string(wanted_value(size));
    config.params = std::move(longer);
    return config;
  }
  return config;
}

}  // namespace robust_kbench
