#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/baseline_workers.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {

// The evaluators of a suite's kernels, of which one exists at a time. An evaluator lives as long as
// consecutive kernels have its entry and device, as in a manifest. On the CPU the next evaluator
// gets the workers of its baselines.
class Evaluators {
 public:
  using OptionsOf = std::function<EvaluatorOptions(Device device)>;

  // `suite` must outlive this object.
  explicit Evaluators(const Suite& suite, OptionsOf options_of = usual_evaluator_options);

  Evaluator& of(const KernelSource& kernel);

 private:
  const Suite& m_suite;
  const OptionsOf m_options_of;
  const std::shared_ptr<BaselineWorkers> m_baseline_workers = std::make_shared<BaselineWorkers>();
  Entry m_entry;
  Device m_device = Device::cpu;
  std::unique_ptr<Evaluator> m_evaluator;
};

}  // namespace robust_kbench
