#pragma once

#include <string_view>
#include <vector>

#include "runner/serve.hpp"
#include "worker/glue_plan.hpp"

namespace robust_kbench {

// The code around the functions of a kernel that was extracted from a Python file
// (docs/solutions.md). It consists of the torch operators and views that forward() applied. The
// kernel's library has it as text, in the symbol `rkb_glue`.
class Glue {
 public:
  // Throws SubjectError if the text is malformed, or calls a function that the module does not
  // have.
  Glue(std::string_view text, const rkb_module& module, bool on_gpu);

  // The parameters of forward(), which the broker sees in place of a function's.
  [[nodiscard]] const Loaded::Parameters& parameters() const { return m_parameters; }

  // Loads torch if any plan calls its operators.
  void load_torch() const;

  // Runs the plan for arguments of these shapes. The caller owns the results. Throws SubjectError.
  std::vector<rkb_value> call(const std::vector<rkb_value>& arguments);

 private:
  std::vector<GluePlan> m_plans;
  Loaded::Parameters m_parameters;
  const rkb_module& m_module;
};

// Throws the SubjectError for the status of a function, unless it is RKB_OK.
void throw_failure(std::int32_t status);

}  // namespace robust_kbench
