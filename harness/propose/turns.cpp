#include "propose/turns.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace robust_kbench {

Turns::Turns(std::vector<double> shares) : m_steps(std::move(shares)), m_passed(m_steps.size(), 0) {
  for (double& step : m_steps) step = 1 / step;
}

bool Turns::offer(const std::function<bool(std::size_t index)>& takes) {
  std::vector<std::size_t> order(m_steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [this](std::size_t i) { return m_passed[i] + m_steps[i]; });
  const auto taker = std::ranges::find_if(order, takes);
  if (taker == order.end()) return false;
  m_passed[*taker] += m_steps[*taker];
  std::for_each(order.begin(), taker, [&](std::size_t declined) {
    m_passed[declined] = std::max(m_passed[declined], m_passed[*taker]);
  });
  return true;
}

}  // namespace robust_kbench
