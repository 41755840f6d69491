#include "evaluate/timing_stage.hpp"

#include <algorithm>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/kernel_places.hpp"
#include "evaluate/gpu_queues.hpp"
#include "evaluate/request_check.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

Judgement while_timing(Judgement judgement) {
  judgement.reason = "while timing: " + judgement.reason;
  return judgement;
}

}  // namespace

void TimingStage::start_rivals() {
  for (const auto& [name, rival] : m_state.request.rivals) {
    m_starting_rivals[name] = std::async(std::launch::async, [this, &rival = rival] {
      return m_state.shared.builds.build(rival, m_state.request.stop);
    });
  }
}

// Torch takes most of a second of a processor to start in each of their workers. It starts while
// the compiler and the cases leave a processor idle.
void TimingStage::start_baselines() {
  m_state.shared.timing.start(m_state.timed, kernels());
}

void TimingStage::require_rivals() {
  for (auto& [name, rival] : m_starting_rivals) {
    m_rivals[name] = rival.get();
    const BuildRecord& build = m_rivals[name].record;
    m_state.record.rivals.push_back({.name = name,
                                     .path = m_state.request.rivals.at(name).sources.front(),
                                     .judgement = build.judgement});
    if (build.judgement.passes()) continue;
    throw UserError("rival '" + name + "' does not compile: " + label(build.judgement) + ": " +
                    build.judgement.reason);
  }
}

BuiltKernel TimingStage::built(const std::string& name, const BuildRecord& build,
                               const KernelSource& kernel) const {
  return {.name = name,
          .library = build.library,
          .entry_point = entry_point_of(kernel),
          .readable = library_places(kernel),
          .max_workers = m_state.request.workers,
          .gpu_queues = gpu_queues_of(kernel),
          .replayed = name == kernel_subject && m_state.replay.mode != Replay::never};
}

const Race& TimingStage::prepare() {
  const Request& request = m_state.request;
  m_race.emplace(Race{.kernel = built(kernel_subject, m_state.build.record, m_state.kernel),
                      .configs = m_state.timed,
                      .run = bench_run(),
                      .on_result = [this](const BenchResult& result, KernelTimer& timer,
                                          double seconds) { take(result, timer, seconds); },
                      .stop = request.stop,
                      .together = !m_rivals.empty() && request.estimators.empty() &&
                                  (!m_state.memory || m_state.memory->is_promise()),
                      .goes_first = request.races_first});
  for (const auto& [name, rival] : m_rivals) {
    m_race->rivals.push_back(built(name, rival.record, request.rivals.at(name)));
  }
  return *m_race;
}

void TimingStage::time() {
  // Other estimators have workers of their own, which need that memory.
  if (m_state.memory && m_state.request.estimators.empty()) m_state.memory->end_tests();
  const auto start = m_state.shared.options.now();
  m_state.shared.races.time(*m_race);
  m_state.waited_seconds += m_state.seconds_since(start) - m_own_seconds;
}

void TimingStage::take(const BenchResult& result, KernelTimer& timer, double seconds) {
  KernelRecord& record = m_state.record;
  m_own_seconds = seconds;
  record.timings = result.timings;
  record.mean_speedups = result.mean_speedups;
  record.timing_note = result.note;
  if (result.false_spans) m_state.false_spans = while_timing(*result.false_spans);
  for (const auto& [rival, why] : result.rejected_rivals) {
    std::ranges::find(record.rivals, rival, &RivalRecord::name)->judgement = why;
    if (m_state.request.on_rival_rejected) m_state.request.on_rival_rejected(rival, why);
  }
  if (outranks(result.judgement.verdict, record.judgement.verdict)) {
    record.judgement = while_timing(result.judgement);
    m_state.name_functions(record.judgement);
    return;
  }
  const auto start = m_state.shared.options.now();
  estimate(timer);
  m_own_seconds += m_state.seconds_since(start);
}

BenchRun TimingStage::bench_run() {
  BenchRun run;
  run.baselines = m_state.request.baselines;
  run.on_config = [this](std::size_t config) {
    const std::size_t configs = m_state.timed.size();
    m_state.report(Stage::time, fmt::format("timing {}/{}", config + 1, configs), config, configs);
  };
  run.goes_on = [this](const std::vector<ConfigTimingRecord>& so_far) {
    // A cancelled submission reports the timings so far. In a race with rivals another thread may
    // call this, so they are not stored.
    if (m_rivals.empty()) m_state.record.timings = so_far;
    return !m_state.request.on_timed || m_state.request.on_timed(so_far) == Next::go_on;
  };
  return run;
}

void TimingStage::estimate(KernelTimer& timer) {
  const std::vector<Config>& timed = m_state.timed;
  std::vector<ConfigTimingRecord>& timings = m_state.record.timings;
  for (std::size_t i = 0; i < timings.size(); ++i) {
    for (const std::string& estimator : m_state.request.estimators) {
      m_state.report(Stage::time, "timing by " + estimator, timed.size(), timed.size());
      for (EstimateRecord& record : timer.estimate(timed[i], estimator)) {
        timings.at(i).estimates.push_back(std::move(record));
      }
    }
    if (m_state.replay.mode != Replay::always) continue;
    if (m_state.request.stop.stop_requested()) throw Cancelled();
    m_state.report(Stage::time, "timing baselines by graphs", i, timed.size());
    for (EstimateRecord& record : timer.time_baselines_together(timed[i])) {
      timings.at(i).estimates.push_back(std::move(record));
    }
  }
}

}  // namespace robust_kbench
