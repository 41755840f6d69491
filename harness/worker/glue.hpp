#pragma once

#include <string_view>
#include <vector>

#include "runner/serve.hpp"
#include "worker/glue_plan.hpp"

namespace robust_kbench {

// What stands around the functions of a kernel that was read out of a Python file
// (docs/solutions.md). It is the operators of torch and the views that forward applied. A library
// brings it as text, in the symbol `rkb_glue`.
class Glue {
 public:
  // Throws SubjectError where the text is no glue, or calls what the module does not have.
  Glue(std::string_view text, const rkb_module& module, bool on_gpu);

  // What a broker is told of the whole, as of a function.
  [[nodiscard]] const Loaded::Parameters& parameters() const { return m_parameters; }

  // Loads torch, where a plan calls its operators.
  void load_torch() const;

  // Runs the plan for arguments of these shapes. The results are the caller's. Throws SubjectError.
  std::vector<rkb_value> call(const std::vector<rkb_value>& arguments);

 private:
  std::vector<GluePlan> m_plans;
  Loaded::Parameters m_parameters;
  const rkb_module& m_module;
};

// Throws what a status of a function means, unless it is RKB_OK.
void throw_failure(std::int32_t status);

}  // namespace robust_kbench
