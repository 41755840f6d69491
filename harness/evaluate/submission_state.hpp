#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"
#include "evaluate/build.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/gpu_admission.hpp"
#include "evaluate/replay_choice.hpp"
#include "evaluate/shared_state.hpp"
#include "evaluate/tool_log.hpp"

namespace robust_kbench {

// The initial record of a kernel.
KernelRecord record_of(const KernelSource& kernel);

// The subject of a submission, and its results so far, which its stages share.
struct SubmissionState {
  SubmissionState(SharedState& shared, const KernelSource& kernel, const Request& request);

  SharedState& shared;
  const KernelSource& kernel;
  const Request& request;
  const Scope scope;              // the request's, with its nonce and the kernel's own scope
  const std::vector<Case> cases;  // to be tested
  const std::vector<Config> timed;
  const ReplayChoice replay;
  Build build;
  std::optional<GpuAdmission::Place> memory;  // of the GPU, while it is tested and timed
  bool cut_short = false;                     // the limit left no time for all tests
  std::optional<Judgement> false_spans;       // which the replay has to judge
  double waited_seconds = 0;
  KernelRecord record;

  [[nodiscard]] bool wants(Stage stage) const { return request.stages.contains(stage); }
  [[nodiscard]] double seconds_since(std::chrono::steady_clock::time_point start) const;
  void report(Stage stage, const std::string& text, std::size_t done = 0,
              std::size_t total = 0) const;
  // The built kernel, for sanitizers.
  [[nodiscard]] InspectedKernel inspected() const;
  // Names the functions in a crash's trace.
  void name_functions(Judgement& judgement) const;
};

}  // namespace robust_kbench
