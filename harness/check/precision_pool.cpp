#include "check/precision_pool.hpp"

#include <algorithm>

#include "tensor/rms_excess.hpp"

namespace robust_kbench {

void PrecisionPool::add(const std::vector<SquaredErrors>& of_outputs, std::int64_t calls) {
  m_calls += calls;
  m_of_outputs.resize(std::max(m_of_outputs.size(), of_outputs.size()));
  for (std::size_t i = 0; i < of_outputs.size(); ++i) m_of_outputs[i] += of_outputs[i];
}

std::string PrecisionPool::excess(const Contract& contract,
                                  const std::vector<PrecisionLimits>& limits) const {
  std::string all;
  std::size_t next = 0;
  const auto judge = [&](const Output& output, const PrecisionLimits& own) {
    if (next == m_of_outputs.size()) return;
    const SquaredErrors& errors = m_of_outputs[next++];
    if (!own.rms) return;
    const std::string one = rms_excess(output.name, *own.rms, errors, m_calls);
    if (one.empty()) return;
    all += (all.empty() ? "" : "\n") + one;
    if (!own.part.empty()) all += "\nThe limit is that of " + own.part + ".";
  };
  for (std::size_t i = 0; i < limits.size(); ++i) {
    judge(contract.outputs.at(i), limits[i]);
    for (const PrecisionLimits& of_part : limits[i].parts) judge(contract.outputs[i], of_part);
  }
  return all;
}

}  // namespace robust_kbench
