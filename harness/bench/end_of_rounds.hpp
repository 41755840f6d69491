#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "bench/bench.hpp"
#include "bench/subject_samples.hpp"
#include "core/timing_record.hpp"

namespace robust_kbench {

// True if all subjects that are still in the run have the least number of samples.
bool have_least_samples(const std::vector<SubjectSamples>& subjects, const BenchOptions& options);

// The reason to end the rounds once `elapsed` has passed since the first one began, or nullopt if
// they go on. The least number of samples is taken even beyond the cap.
std::optional<StopReason> end_of_rounds(const std::vector<SubjectSamples>& subjects,
                                        const BenchOptions& options,
                                        std::chrono::duration<double> elapsed);

}  // namespace robust_kbench
