#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/slow_kernel.hpp"
#include "broker/worker_process.hpp"
#include "core/judgement.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include "core/speedup.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

class BaselineWorkers;

struct BenchOptions {
  int threads = 0;                // of each subject; 0: one per CPU that this process may use
  int workers = 5;                // fresh processes per subject
  std::size_t min_samples = 2;    // of each process, even beyond the cap
  double target_interval = 0.01;  // stop when every median's 95 % interval is within +- this
  // The time limit per config for all subjects and checks together, from the first round on.
  std::chrono::milliseconds cap{300};
  std::chrono::microseconds batch_span{2500};        // least time of a timed batch
  std::size_t batch_bytes = std::size_t{128} << 20;  // most content of a batch; wins over the span
  std::size_t noop_calls = 1024;  // of the batch that measures calls that do nothing
  double clock_agreement = 0.05;  // claimed sum against the broker's clock, per batch
  int confirmations = 10;         // fresh batches that must all contradict before it is a cheat
  double same_within = robust_kbench::same_within(Device::cpu);  // see core/speedup.hpp
  // The share of a config's time that references of randomly chosen timed calls may take at most.
  // One call of each worker is compared at any cost.
  double verify_share = 0.25;
  PaceLimits pace;           // for kernels whose calls take seconds
  bool warm_figures = true;  // on a GPU: `hot_us` and `latency_us` of the record
  std::chrono::milliseconds call_timeout = Limits().call_timeout;  // of a kernel
  // Bytes of a GPU's memory that workers leave to tests and tools beside them, if two workers of
  // each kernel fit. 0: nothing goes on beside them.
  std::size_t gpu_bytes_for_others = 0;
  std::vector<std::string> baselines{"eager"};  // by name, see bench/baseline.hpp
  // On the CPU a timer takes the baselines' workers from here, and leaves them here for the next
  // timer. If null, each timer has its own.
  std::shared_ptr<BaselineWorkers> baseline_workers = nullptr;
};

// The defaults for a device. On a GPU nothing else runs, so a smaller difference counts. Each
// worker there gives four samples, so that one batch which the host disturbed moves the worker's
// median only to another sample.
BenchOptions usual_bench_options(Device device);

// The CPUs of this thread for everything but GPU timing, which has the first ones to itself. These
// are all CPUs if there are few.
std::vector<int> cpus_beside_timing();

class KernelTimer;
struct BuiltKernel;

// The options for timing one kernel.
struct BenchRun {
  // Baselines take part, and are in the result. Without them there are no figures of warm calls
  // either.
  bool baselines = true;
  std::function<void(std::size_t config)> on_config = {};
  // Called after each config with the timings so far. If it returns false, the run ends there.
  std::function<bool(const std::vector<ConfigTimingRecord>& so_far)> goes_on = {};
};

struct BenchResult {
  std::vector<ConfigTimingRecord> timings;   // without other estimators
  std::vector<SpeedupRecord> mean_speedups;  // over these configs
  // Rivals that were rejected while they were timed. A rival whose calls take too long is
  // `skipped`.
  std::map<std::string, Judgement> rejected_rivals;
  // For a kernel whose calls take seconds, the configs on which it was timed with few calls or not
  // at all (bench/slow_kernel.hpp). Else empty.
  std::string note;
  Judgement judgement = passed();  // the finding while timing
  // The first config's finding that spans are false, where a replay judges them
  // (RunSubject::replayed).
  std::optional<Judgement> false_spans;
};

// Times the first kernel of a timer, or of its turn, on each config. It takes turns with the other
// kernels, its rivals, and with the baselines, each in workers of its own. Ends at the config in
// which the kernel is rejected. A rejected rival has no figures from there on. Throws HarnessError
// if a baseline fails.
BenchResult bench(KernelTimer& timer, const std::vector<Config>& configs,
                  const BenchOptions& options, const BenchRun& run = {});

// Times the first `runs.size()` kernels at the same time, with one result for each. All runs must
// have the same `baselines`. A finding about one kernel is in no other's result. A kernel whose run
// ends leaves the race. The cap grows with their number.
std::vector<BenchResult> bench_together(KernelTimer& timer, const std::vector<Config>& configs,
                                        const BenchOptions& options,
                                        const std::vector<BenchRun>& runs);

}  // namespace robust_kbench
