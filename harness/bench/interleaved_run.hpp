#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/noop_cost.hpp"
#include "bench/timed_worker.hpp"
#include "core/statistics.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// One subject of a run. All have the same number of fresh workers, but baselines may share theirs.
struct RunSubject {
  std::string name;      // in records: "kernel", "eager", "compile"
  bool trusted = false;  // a baseline, whose failure is the harness's
  // Scales the limits for the outputs. If 0, outputs are not compared.
  double tolerance_scale = 1;
  // A replay judges spans that seem false, which it does better than the clock can beside a slow
  // host. So such spans do not reject it, but are in SubjectResult::false_spans.
  bool replayed = false;
  const Task* task = nullptr;  // as this subject is called
  Load load;
  std::vector<TimedWorker*> workers;
};

struct RunConditions {
  Workload workload;                           // as kernels are called
  const std::vector<PrecisionLimits>& limits;  // of the outputs, in their order
  const BenchOptions& options;
  const NoopCosts& noop;
  c10::Device device = c10::kCPU;
  // Each batch has content of its own. Otherwise subjects by different authors that find a way to
  // talk could do a batch's work once for all.
  bool own_content = false;
};

struct SubjectResult {
  TimingRecord timing;
  // A rejected subject has no timing. Nor has one whose calls take too long, or whose run ended
  // because no subject was left.
  std::optional<Judgement> rejection;
  // The time of a call if it is so long that few calls are timed, or none.
  std::optional<std::chrono::duration<double>> slow_call = {};
  // The finding that a subject's spans are false, where its replay has to judge that.
  std::optional<Judgement> false_spans = {};

  [[nodiscard]] bool is_timed() const { return timing.workers > 0; }
};

struct RunResults {
  std::vector<SubjectResult> subjects;  // in their order
  std::optional<RooflineRecord> roofline;
  std::optional<double> busy_cpus = {};  // see ConfigTimingRecord
  std::string disturbance = {};          // see there
};

// Times subjects on one config, in turns. A round is one batch of every worker of every subject, in
// random order. Workers of the same index get the same fresh content unless each batch has its own.
// A batch that was too short is repeated with other content. Each batch gives one sample
// (bench/batch_clock.hpp). Rounds go on until every interval is narrow enough, or more samples
// would not narrow it, or the cap is reached. If only one kernel's calls take seconds, it is timed
// with few, or not at all (bench/slow_kernel.hpp). Throws HarnessError if a trusted subject fails.
RunResults run_interleaved(const std::vector<RunSubject>& run_subjects,
                           const RunConditions& conditions);

}  // namespace robust_kbench
