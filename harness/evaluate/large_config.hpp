#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/config.hpp"
#include "core/device.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The config drawn_large, near the one of `listed` with most elements. The nonce alone decides it.
// nullopt where the task's shapes are fixed, where it knows no such point, or where no other config
// fits beside the listed ones.
//
// Each size lies beside that of the listed config. A long one is odd or prime and at most an eighth
// less, a short one is one more or less. The config has no more elements than the listed one. All
// else is taken from it.
//
// All references and calls of the case may take 0.5 s, as reference_seconds() estimates them. Sizes
// in an order of the nonce are shortened until they do. The config's note then tells its share of
// the elements.
//
// A task that allows only some points has those of Shapes::large. The nonce chooses one of those
// that cost at least half as much as the dearest one that fits.
std::optional<Config> large_config(const Task& task, Direction direction, Device device,
                                   const std::vector<Config>& listed, std::uint64_t nonce);

}  // namespace robust_kbench
