#include "evaluate/evaluator_cache.hpp"

#include <utility>

namespace robust_kbench {

EvaluatorCache::EvaluatorCache(const Suite& suite, OptionsOf options_of)
    : m_suite(suite), m_options_of(std::move(options_of)) {}

Evaluator& EvaluatorCache::of(const KernelSource& kernel) {
  if (!m_evaluator || !(m_entry == kernel.entry) || m_device != kernel.device) {
    m_evaluator.reset();  // its workers end before others start
    m_entry = kernel.entry;
    m_device = kernel.device;
    EvaluatorOptions options = m_options_of(m_device);
    options.bench.baseline_workers = m_baseline_workers;
    m_evaluator = std::make_unique<Evaluator>(m_suite.manifest(), m_suite.task(m_entry.task),
                                              m_entry.direction, m_device, options);
  }
  return *m_evaluator;
}

}  // namespace robust_kbench
