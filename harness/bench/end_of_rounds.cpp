#include "bench/end_of_rounds.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

// The reason why more rounds are useless, or nullopt if they are useful.
std::optional<StopReason> exact(const std::vector<SubjectSamples>& subjects, double interval) {
  StopReason reason = StopReason::interval;
  for (const SubjectSamples& subject : subjects) {
    if (subject.is_out() || subject.narrow(interval)) continue;
    if (!subject.settled()) return std::nullopt;
    reason = StopReason::workers;
  }
  return reason;
}

}  // namespace

bool have_least_samples(const std::vector<SubjectSamples>& subjects, const BenchOptions& options) {
  return std::ranges::all_of(subjects, [&](const SubjectSamples& subject) {
    return subject.is_out() || subject.sampled(options.min_samples);
  });
}

std::optional<StopReason> end_of_rounds(const std::vector<SubjectSamples>& subjects,
                                        const BenchOptions& options,
                                        std::chrono::duration<double> elapsed) {
  if (!have_least_samples(subjects, options)) return std::nullopt;
  if (const auto reason = exact(subjects, options.target_interval)) return reason;
  return elapsed >= options.cap ? std::optional(StopReason::cap) : std::nullopt;
}

}  // namespace robust_kbench
