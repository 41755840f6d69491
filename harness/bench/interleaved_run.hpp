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

// One subject of a run, in as many fresh workers as every other. Baselines may share theirs.
struct RunSubject {
  std::string name;      // in records: "kernel", "eager", "compile"
  bool trusted = false;  // a baseline: what goes wrong with it is the harness's failure
  // The outputs may be off by so many times the limits. With 0 they are not compared.
  double tolerance_scale = 1;
  const Task* task = nullptr;  // as this subject is called
  Load load;
  std::vector<TimedWorker*> workers;
};

struct RunConditions {
  Workload workload;                           // as kernels are called
  const std::vector<PrecisionLimits>& limits;  // of its outputs, in their order
  const BenchOptions& options;
  const NoopCosts& noop;
  c10::Device device = c10::kCPU;
  // Each batch has content of its own. Else subjects that are strangers to each other, and find a
  // way to talk, could do the work of a batch once for all.
  bool own_content = false;
};

struct SubjectResult {
  TimingRecord timing;
  // Then there is no timing, nor where nobody is left to run, nor where its calls take too long.
  std::optional<Judgement> rejection;
  // What a call takes where that is so long that few are timed, or none.
  std::optional<std::chrono::duration<double>> slow_call = {};

  [[nodiscard]] bool is_timed() const { return timing.workers > 0; }
};

struct RunResults {
  std::vector<SubjectResult> subjects;  // in their order
  std::optional<RooflineRecord> roofline;
  std::optional<double> busy_cpus = {};  // see ConfigTimingRecord
  std::string disturbance = {};          // see there
};

// Times subjects on one config, in turns. A round is one batch of every worker of every subject, in
// random order. The workers of one index get the same fresh content unless each has its own. A
// batch which was too short is repeated with other content. A sample is of one batch
// (bench/batch_clock.hpp). Rounds go on until every interval is narrow enough, or more samples
// would not narrow it, or the cap is reached. A kernel whose calls take seconds where others take
// none is timed with few, or not at all (bench/slow_kernel.hpp). Throws HarnessError when a trusted
// subject fails.
RunResults run_interleaved(const std::vector<RunSubject>& run_subjects,
                           const RunConditions& conditions);

}  // namespace robust_kbench
