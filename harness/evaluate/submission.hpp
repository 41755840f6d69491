#pragma once

#include <string>

#include "evaluate/submission_state.hpp"
#include "evaluate/timing_stage.hpp"

namespace robust_kbench {

// The evaluation of one source, whose record grows stage by stage.
class Submission {
 public:
  // Throws UserError for a request that is invalid for this kernel.
  Submission(SharedState& shared, const KernelSource& kernel, const Request& request);

  // Runs the stages in order, until the kernel is rejected, cancelled, or the caller ends it.
  KernelRecord run();

 private:
  void run_stages();
  void compile();
  void enter_gpu();
  [[nodiscard]] std::size_t time_bytes() const;
  void sanitize();
  void carry_out(Stage stage);
  [[nodiscard]] std::string skipped() const;
  // False where the caller, or the verdict, ends the submission here.
  [[nodiscard]] bool goes_on_after(Stage stage) const;

  SubmissionState m_state;
  TimingStage m_timing{m_state};
};

}  // namespace robust_kbench
