#pragma once

#include <vector>

#include "cli/evaluate_options.hpp"
#include "cli/opponents.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/suite.hpp"
#include "process/interrupt.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Tests and times source files of one entry and device, as the options of `rkb evaluate` say.
class FileEvaluation {
 public:
  // The references outlive this object. Throws UserError for options that do not fit the kernels.
  FileEvaluation(const Suite& suite, const Task& task, const EvaluateCommandOptions& options,
                 std::vector<KernelSource> kernels);

  // Records are in the order of the kernels. After an interrupt the rest of them are cancelled.
  std::vector<KernelRecord> run(Reporters& reporters, InterruptStop& interrupt);

 private:
  void require_device() const;
  [[nodiscard]] Request request_of(const KernelSource& kernel) const;
  [[nodiscard]] EvaluatorOptions evaluator_options(int jobs) const;
  void tell_missing_packages() const;

  const Suite& m_suite;
  const Task& m_task;
  const EvaluateCommandOptions& m_options;
  const std::vector<KernelSource> m_kernels;
  const Device m_device;
  Scope m_scope;
  Scope m_timed_scope;
  Opponents m_opponents;
};

}  // namespace robust_kbench
