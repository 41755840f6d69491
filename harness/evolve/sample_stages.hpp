#pragma once

#include <cstdint>
#include <filesystem>
#include <semaphore>
#include <string>

#include "archive/archive.hpp"
#include "evolve/evolution_plan.hpp"
#include "evolve/run_log.hpp"
#include "evolve/sample.hpp"

namespace robust_kbench {

// What is done with one sample, stage by stage. Threads do so with several at a time.
class SampleStages {
 public:
  // The references outlive this object.
  SampleStages(const EvolutionPlan& plan, Archive& archive, std::string run, Journal& journal,
               TimeLimit& limit, Gate& gate, RunLog& log);

  // The proposal as a kernel of the run, which is registered like the first parent.
  [[nodiscard]] Candidate child_of(const Candidate& first_parent, std::int64_t id,
                                   const Proposal& proposal) const;

  // Each does nothing with a sample that has its outcome. What the end of the run's time cuts short
  // is refused for that.
  void make(Sample& sample, const Candidate& first_parent);  // its source file and its row
  void vote(Sample& sample);
  void evaluate(Sample& sample);

 private:
  void make_in_time(Sample& sample, const Candidate& first_parent);
  void vote_in_time(Sample& sample);
  void evaluate_in_time(Sample& sample);
  template <typename Stage>
  void unless_time_is_over(Sample& sample, const Stage& stage);
  bool build(Sample& sample);
  void look_at_memory(Sample& sample);

  const EvolutionPlan& m_plan;
  Archive& m_archive;
  const std::string m_run;
  const std::filesystem::path m_directory;  // of the run
  Journal& m_journal;
  TimeLimit& m_limit;
  Gate& m_gate;
  RunLog& m_log;
  std::counting_semaphore<> m_evaluating;
};

}  // namespace robust_kbench
