#include "check/precision_pool.hpp"

#include <algorithm>

#include "tensor/rms_excess.hpp"

namespace robust_kbench {

void PrecisionPool::add(const std::vector<SquaredErrors>& of_outputs) {
  m_of_outputs.resize(std::max(m_of_outputs.size(), of_outputs.size()));
  for (std::size_t i = 0; i < of_outputs.size(); ++i) m_of_outputs[i] += of_outputs[i];
}

std::string PrecisionPool::excess(const Contract& contract,
                                  const std::vector<PrecisionLimits>& limits) const {
  std::string all;
  for (std::size_t i = 0; i < m_of_outputs.size(); ++i) {
    if (!limits.at(i).rms) continue;
    const std::string one =
        rms_excess(contract.outputs.at(i).name, *limits[i].rms, m_of_outputs[i]);
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  }
  return all;
}

}  // namespace robust_kbench
