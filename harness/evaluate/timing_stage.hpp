#pragma once

#include <future>
#include <map>
#include <optional>
#include <string>

#include "bench/kernel_timer.hpp"
#include "evaluate/race_queue.hpp"
#include "evaluate/submission_state.hpp"

namespace robust_kbench {

// Times the built kernel of a submission against its rivals and baselines.
class TimingStage {
 public:
  // The state must outlive this object.
  explicit TimingStage(SubmissionState& state) : m_state(state) {}

  void start_rivals();
  void start_baselines();
  // Waits for the rivals. Throws UserError where one does not compile.
  void require_rivals();
  // The number of kernels that are timed in turns.
  [[nodiscard]] std::size_t kernels() const { return 1 + m_state.request.rivals.size(); }

  // The race to announce, once the rivals are there and GPU memory is claimed.
  const Race& prepare();
  void time();

 private:
  [[nodiscard]] BuiltKernel built(const std::string& name, const BuildRecord& build,
                                  const KernelSource& kernel) const;
  [[nodiscard]] BenchRun bench_run();
  void take(const BenchResult& result, KernelTimer& timer, double seconds);
  void estimate(KernelTimer& timer);

  SubmissionState& m_state;
  std::map<std::string, std::future<Build>> m_starting_rivals;
  std::map<std::string, Build> m_rivals;
  std::optional<Race> m_race;
  double m_own_seconds = 0;  // its share of the race
};

}  // namespace robust_kbench
