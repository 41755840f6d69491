#include "check/case_choice.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

std::string group_of(const Case& c) {
  return c.probe ? "probe" : std::string(to_string(c.config.set));
}

// Cases that differ only in their seed have the same name here.
std::string config_of(const Case& c) {
  return (c.probe ? probe_name(*c.probe) + "/" : "") + c.config.name;
}

}  // namespace

double SlowCallLimit::cost(const CaseRecord& record) const {
  const bool slow = record.kernel_seconds > slow_call * record.calls &&
                    record.kernel_seconds > times_the_reference * record.reference_seconds;
  return slow ? record.kernel_seconds : 0;
}

CaseChoice::CaseChoice(const std::vector<Case>& cases, const std::vector<std::size_t>& order,
                       const std::optional<SlowCallLimit>& limit, std::uint64_t key)
    : m_cases(cases), m_left(order), m_limit(limit), m_random(key) {}

std::optional<std::size_t> CaseChoice::next() {
  if (m_left.empty()) return std::nullopt;
  if (!m_limit || m_spent < m_limit->seconds / 2) return take(0);
  if (const auto place = drawn([&](const Case& c) { return !m_kinds.contains(group_of(c)); })) {
    return take(*place);
  }
  if (m_spent + m_dearest > m_limit->seconds) return std::nullopt;
  const auto place = drawn([&](const Case& c) { return !m_configs.contains(config_of(c)); });
  return take(place ? *place : *drawn([](const Case&) { return true; }));
}

void CaseChoice::called(const CaseRecord& record) {
  const Case& latest = m_cases[m_current];
  m_configs.insert(config_of(latest));
  if (!record.refused) m_kinds.insert(group_of(latest));
  if (!m_limit) return;
  m_spent += m_limit->cost(record);
  m_dearest = std::max(m_dearest, m_limit->cost(record));
}

std::size_t CaseChoice::take(std::size_t place) {
  m_current = m_left[place];
  m_left.erase(m_left.begin() + static_cast<std::ptrdiff_t>(place));
  return m_current;
}

template <typename Wanted>
std::optional<std::size_t> CaseChoice::drawn(const Wanted& wanted) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < m_left.size(); ++place) {
    if (wanted(m_cases[m_left[place]])) places.push_back(place);
  }
  if (places.empty()) return std::nullopt;
  return places[m_random.below(places.size())];
}

}  // namespace robust_kbench
