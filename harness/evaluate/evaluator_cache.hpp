#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/baseline_workers.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {

// Keeps the last evaluator of a suite's kernels. It lives as long as consecutive kernels have its
// entry and device, as in a manifest. On the CPU the next evaluator gets the workers of its
// baselines.
class EvaluatorCache {
 public:
  using OptionsOf = std::function<EvaluatorOptions(Device device)>;

  // `suite` must outlive this object.
  explicit EvaluatorCache(const Suite& suite, OptionsOf options_of = usual_evaluator_options);

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
