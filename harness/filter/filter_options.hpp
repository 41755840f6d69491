#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "core/config.hpp"
#include "core/device.hpp"
#include "filter/filter_result.hpp"

namespace robust_kbench {

// The settings of filters, with the thresholds at which they catch a task. The first four
// thresholds are the paper's.
struct FilterOptions {
  Device device = Device::cpu;
  std::optional<ConfigSet> configs = {};  // nullopt: small on the CPU, single on CUDA
  int seeds = 5;
  std::uint64_t nonce = 1;     // decides drawn configs and the configs of probes
  std::set<Filter> only = {};  // the filters that look; empty: all

  double range = 0.01;          // every element of an output lies within +- this
  double deviation = 0.01;      // over seeds, and along an axis
  double input_impact = 0.01;   // deviation over seeds of the inputs
  double weight_impact = 0.01;  // deviation over seeds of one weight
  double tolerance = 0.1;       // limit of errors relative to the signal
  double baseline = 1.5;        // work of the baseline relative to the needed work
};

}  // namespace robust_kbench
