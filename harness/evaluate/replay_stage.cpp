#include "evaluate/replay_stage.hpp"

#include <algorithm>
#include <mutex>

#include "bench/timed_limits.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/speedup.hpp"
#include "evaluate/examine_options.hpp"
#include "evaluate/request_check.hpp"
#include "evaluate/requirements.hpp"
#include "replay/longer_time.hpp"
#include "replay/replay_judge.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A kernel whose work takes so much longer where none of its host code runs has had a false time in
// its own process. A replay's graph saves time between kernels, so it hardly takes longer.
constexpr double tolerated_share = 1.25;
constexpr double tolerated_difference_us = 3;

std::optional<Judgement> false_time(const ConfigTimingRecord& timing, const TogetherTime& time) {
  const TimingRecord& own = timing.subjects.front();
  const double tolerated_us = tolerated_share * own.ci_high_us + tolerated_difference_us;
  if (time.low_us <= tolerated_us) return std::nullopt;
  return cheat(CheatClass::timing,
               fmt::format("{}: {:.2f} us a call in its own process, and {:.2f} us where none of "
                           "its host code runs",
                           timing.config, own.median_us, time.us));
}

const Config& config_of(const SubmissionState& state, const ConfigTimingRecord& timing) {
  return *std::ranges::find(state.timed, timing.config, &Config::name);
}

// A machine that has no room for a replay, or an older driver, says nothing of the kernel.
ReplayOutcome replayed(const ReplayJudge& judge, const Config& config, const OutputLimits& limits,
                       double own_us) {
  try {
    return judge.judge(config, limits, own_us);
  } catch (const HarnessError& error) {
    return {.not_replayed = "this machine cannot replay it: " + std::string(error.what())};
  }
}

// Returns why the kernel cannot be replayed on a config; empty if it was.
std::string replay_config(const SubmissionState& state, const ReplayJudge& judge,
                          ConfigTimingRecord& timing) {
  const Config& config = config_of(state, timing);
  const OutputLimits limits = timed_limits(
      state.shared.limits, {state.shared.task, state.kernel.entry.direction, config.params}, config,
      /*gpu=*/true);
  const double own_us = timing.subjects.front().median_us;
  const ReplayOutcome outcome = replayed(judge, config, limits, own_us);
  if (!outcome.not_replayed.empty()) return outcome.not_replayed;
  const TogetherTime& time = outcome.time.by_clock;
  timing.estimates.push_back(
      together_estimate(std::string(kernel_subject), time,
                        fmt::format("; its events say {:.2f} us", outcome.time.events_us)));
  if (auto finding = false_time(timing, time)) throw Rejection(*std::move(finding));
  if (count_longer_time(timing, time, same_within(Device::cuda))) {
    timing.estimates.back().note +=
        fmt::format("; it counts, since it is longer than {:.2f} us in its own process", own_us);
  }
  return "";
}

// Baselines are timed as replays are, to be compared with the kernel's.
void drop_times_without_counterpart(std::vector<ConfigTimingRecord>& timings) {
  for (ConfigTimingRecord& timing : timings) {
    if (find_estimate(timing.estimates, replay_estimator, kernel_subject) != nullptr) continue;
    std::erase_if(timing.estimates, [](const EstimateRecord& estimate) {
      return estimate.estimator == replay_estimator;
    });
  }
}

}  // namespace

void replay_and_judge(SubmissionState& state) {
  const std::scoped_lock one_at_a_time(state.shared.replays);
  KernelRecord& record = state.record;
  ExamineOptions options = examine_options(state.shared, state.kernel, state.request, state.scope);
  const KernelToRecord kernel{.task = state.shared.task,
                              .entry = state.kernel.entry,
                              .library = state.build.record.library,
                              .worker = options.worker};
  const ReplayJudge judge(kernel, replayer_of(state.shared.manifest.toolchain));
  record.judged = JudgedRecord{.by_replay = true, .reason = ""};
  try {
    for (std::size_t i = 0; i < record.timings.size(); ++i) {
      if (state.request.stop.stop_requested()) throw Cancelled();
      state.report(Stage::time, fmt::format("replaying {}/{}", i + 1, record.timings.size()), i,
                   record.timings.size());
      const std::string reason = replay_config(state, judge, record.timings[i]);
      if (reason.empty()) continue;
      record.judged = JudgedRecord{.by_replay = false, .reason = reason};
      if (state.false_spans) record.judgement = *state.false_spans;
      if (state.request.require_replay) {
        record.judgement = {.verdict = Verdict::skipped,
                            .reason = "it cannot be replayed: " + reason};
      }
      break;
    }
  } catch (const Rejection& rejection) {
    record.judgement = rejection.judgement();
  }
  drop_times_without_counterpart(record.timings);
  for (ConfigTimingRecord& timing : record.timings) add_replayed_ratios(timing);
  // Configs that were replayed before one that could not be may have longer times.
  record.mean_speedups = mean_speedups(record.timings, same_within(record.device));
}

}  // namespace robust_kbench
