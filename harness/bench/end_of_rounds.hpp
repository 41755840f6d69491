#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "bench/bench.hpp"
#include "bench/subject_samples.hpp"
#include "core/timing_record.hpp"

namespace robust_kbench {

// True where everybody who is still in the run has the least samples.
bool have_least_samples(const std::vector<SubjectSamples>& subjects, const BenchOptions& options);

// Why no more rounds are taken once `elapsed` has gone since the first one began, or nothing where
// they go on. The least samples win over the cap.
std::optional<StopReason> end_of_rounds(const std::vector<SubjectSamples>& subjects,
                                        const BenchOptions& options,
                                        std::chrono::duration<double> elapsed);

}  // namespace robust_kbench
