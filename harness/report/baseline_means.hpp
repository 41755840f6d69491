#pragma once

#include <optional>
#include <string>

#include "core/record.hpp"

namespace robust_kbench {

// The mean speed-up of a kernel over one of its baselines or rivals; none where it was not timed
// against it.
std::optional<SpeedupRecord> mean_over(const KernelRecord& kernel, const std::string& against);

// The mean speed-up over the fastest baseline of each config. Baselines compute the same in
// float32: neither `empty` nor those with TF32 count. None where nothing was timed against such a
// baseline.
std::optional<SpeedupRecord> mean_over_best_baseline(const KernelRecord& kernel);

// The geometric mean over configs of a subject's median time, in microseconds.
std::optional<double> mean_us(const KernelRecord& kernel, const std::string& subject);

// The geometric mean over configs of the share of the roofline that the kernel reaches, in percent;
// none without a roofline.
std::optional<double> mean_roofline_percent(const KernelRecord& kernel);
double roofline_percent(const ConfigTimingRecord& config);  // of a config that has one

}  // namespace robust_kbench
