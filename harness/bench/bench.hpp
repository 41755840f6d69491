#pragma once

#include <robust_kbench/task.hpp>

#include <chrono>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "core/record.hpp"

namespace robust_kbench {

struct BenchOptions {
  int threads = 0;                 // of each subject; 0: one per CPU that this process may use
  int workers = 5;                 // fresh processes per subject
  double target_interval = 0.01;   // stop when the median's interval is this narrow, relative
  std::chrono::milliseconds cap{1500};          // per config, all subjects together
  std::chrono::microseconds batch_span{5000};   // least claimed time of a timed batch
  double clock_agreement = 0.05;   // claimed sum against the broker's clock, per batch
  double same_within = 0.02;       // the ratio that `faster` and `slower` must lie beyond
  int verified_calls = 3;          // timed calls per worker compared with the reference, at random
  bool compile_baseline = false;   // also time the torch.compile package where one was made
};

struct BenchResult {
  std::vector<TimingRecord> timings;    // kernel first, then baselines
  std::vector<SpeedupRecord> speedups;  // kernel against each baseline
  Verdict verdict = Verdict::pass;      // cheat (timing), wrong_result... found while timing
  CheatClass cheat_class = CheatClass::none;
  std::string reason;
};

// Times one kernel and its baselines on one config, in turns, each in its own fresh workers.
BenchResult bench(const Manifest& manifest, const Task& task, const Entry& entry,
                  const std::string& library, const Config& config, const BenchOptions& options);

// The program behind `rkb baseline-worker`: serves torch's eager (and the torch.compile package)
// as a subject on fd 3 with the arena on fd 4. Returns the exit code.
int baseline_worker(const std::vector<Task>& tasks);

}  // namespace robust_kbench
