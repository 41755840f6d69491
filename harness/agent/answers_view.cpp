#include "agent/answers_view.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr const char* item = "models";

}  // namespace

void AnswersView::expect(int questions) {
  const std::lock_guard lock(m_mutex);
  m_expected = questions;
}

void AnswersView::answered(const std::string& call) {
  const std::string money = spending();
  const std::lock_guard lock(m_mutex);
  ++m_answered;
  // A question may be asked again, and a reflection may be left out.
  const std::string count = m_answered <= m_expected
                                ? fmt::format("{} of at most {} questions", m_answered, m_expected)
                                : fmt::format("{} questions", m_answered);
  m_display.update(
      item, fmt::format("{} answered; {}{}", count, money.empty() ? "" : money + "; ", call),
      m_expected > 0 ? std::min(1.0, static_cast<double>(m_answered) / m_expected) : 0);
}

void AnswersView::note(const std::string& text) {
  m_display.end(item, text);
}

void AnswersView::clear() {
  m_display.end(item);
}

}  // namespace robust_kbench
