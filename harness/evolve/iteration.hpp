#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <semaphore>
#include <string>

#include "archive/archive.hpp"
#include "evolve/evolution_plan.hpp"
#include "evolve/run_log.hpp"
#include "evolve/sample.hpp"

namespace robust_kbench {

// One iteration of a run's loop, from a request to a decided row of the archive. Threads make
// several at a time.
class Iteration {
 public:
  // Called with each child that is about to be tested.
  using OnTest = std::function<void(const Candidate& child)>;

  // The references outlive this object.
  Iteration(const EvolutionPlan& plan, Archive& archive, std::string run, Journal& journal,
            TimeLimit& limit, Gate& gate, RunLog& log, OnTest on_test);

  // Makes the whole iteration. The end of the run's time refuses the sample.
  void run(Sample& sample, const Candidate& first_parent);
  // Goes on with a sample that was ranked and chosen. Where votes rank, run() ends with the votes.
  void evaluate(Sample& sample);

  // The proposal as a kernel of the run, which is registered like the first parent.
  [[nodiscard]] Candidate child_of(const Candidate& first_parent, std::int64_t id,
                                   const Proposal& proposal) const;

 private:
  [[nodiscard]] Proposal ask(const Sample& sample);
  void put_in_archive(Sample& sample, const Proposal& proposal);
  void vote(Sample& sample);
  bool build(Sample& sample);
  void test(Sample& sample);
  void look_at_memory(Sample& sample);
  template <typename Work>
  void in_time(Sample& sample, const Work& work);

  const EvolutionPlan& m_plan;
  Archive& m_archive;
  const std::string m_run;
  const std::filesystem::path m_directory;  // of the run
  Journal& m_journal;
  TimeLimit& m_limit;
  Gate& m_gate;
  RunLog& m_log;
  const OnTest m_on_test;
  std::counting_semaphore<> m_evaluating;
};

}  // namespace robust_kbench
