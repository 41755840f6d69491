#include "filter/escape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace robust_kbench {

void Escape::add(const std::string& thing, const std::string& what, const std::string& config,
                 double value, const std::string& note) {
  if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  m_result.measurements.push_back({what + thing, config, finite(value), note});
  const auto known = m_greatest.try_emplace(thing, value).first;
  known->second = std::max(known->second, value);
}

bool Escape::has_escaped(const std::string& thing) const {
  const auto known = m_greatest.find(thing);
  return known != m_greatest.end() && known->second >= m_threshold;
}

void Escape::conclude(const std::string& says) {
  const auto least =
      std::ranges::min_element(m_greatest, {}, [](const auto& known) { return known.second; });
  if (least == m_greatest.end()) {
    m_result.status = FilterStatus::skipped;
    return;
  }
  m_result.value = finite(least->second);
  if (least->second >= m_threshold) return;
  m_result.status = FilterStatus::caught;
  m_result.reason = fmt::format("{} {} {:g} on every config: {:.3g} at most", least->first, says,
                                m_threshold, least->second);
}

}  // namespace robust_kbench
