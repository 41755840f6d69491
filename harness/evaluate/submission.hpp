#pragma once

#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/kernel_timer.hpp"
#include "check/examiner.hpp"
#include "core/case.hpp"
#include "core/record.hpp"
#include "evaluate/build.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/gpu_admission.hpp"
#include "evaluate/shared_state.hpp"
#include "evaluate/synchronisation_check.hpp"

namespace robust_kbench {

// The initial record of a kernel.
KernelRecord record_of(const KernelSource& kernel);

// The evaluation of one source, whose record grows stage by stage.
class Submission {
 public:
  // Throws UserError for a request that is invalid for this kernel.
  Submission(SharedState& shared, const KernelSource& kernel, const Request& request);

  // Runs the stages in order, until the kernel is rejected, cancelled, or the caller ends it.
  KernelRecord run();

 private:
  [[nodiscard]] std::vector<Config> configs_to_time() const;
  void run_stages();
  void compile();
  void enter_gpu();
  void test();
  void test_each_case(ExamineOptions options);
  [[nodiscard]] std::unique_ptr<SynchronisationCheck> start_synchronisation_check();
  [[nodiscard]] std::string left_out() const;
  [[nodiscard]] std::optional<SlowCallLimit> left_of(SlowCallLimit limit) const;
  void name_functions(Judgement& judgement) const;
  void sanitize();
  [[nodiscard]] Race race();
  void time();
  void take(const BenchResult& result, KernelTimer& timer, double seconds);
  [[nodiscard]] BenchRun bench_run();
  void estimate(KernelTimer& timer);

  [[nodiscard]] double seconds_since(std::chrono::steady_clock::time_point start) const;
  [[nodiscard]] bool wants(Stage stage) const { return m_request.stages.contains(stage); }
  [[nodiscard]] std::string skipped() const;
  void start_rivals();
  void start_baselines();
  void require_rivals();
  void report(Stage stage, const std::string& text, std::size_t done = 0,
              std::size_t total = 0) const;
  // False where the caller, or the verdict, ends the submission here.
  [[nodiscard]] bool goes_on_after(Stage stage) const;

  SharedState& m_shared;
  const KernelSource& m_kernel;
  const Request& m_request;
  const Scope m_scope;  // the request's, with its nonce and the kernel's own scope
  const std::vector<Case> m_cases;
  const std::vector<Config> m_timed;
  Build m_build;
  std::optional<GpuAdmission::Place> m_memory;  // GPU memory, while it is tested and timed
  std::map<std::string, std::future<Build>> m_starting_rivals;
  std::map<std::string, Build> m_rivals;
  std::optional<Race> m_race;  // with the kernel's times as its result
  bool m_cut_short = false;    // the limit left no time for all tests
  double m_own_seconds = 0;    // its share of the race
  double m_waited_seconds = 0;
  KernelRecord m_record;
};

}  // namespace robust_kbench
