#include "agent/answers_view.hpp"

#include <fmt/format.h>

namespace robust_kbench {

void AnswersView::answered(const std::string& call) {
  const std::string money = spending();
  const std::lock_guard lock(m_mutex);
  m_line.update(fmt::format("{:.0f} s: {} questions answered; {}{}", m_line.seconds(), ++m_answered,
                            money.empty() ? "" : money + "; ", call));
}

void AnswersView::note(const std::string& text) {
  const std::lock_guard lock(m_mutex);
  m_line.finish(text);
}

void AnswersView::clear() {
  const std::lock_guard lock(m_mutex);
  m_line.clear();
}

}  // namespace robust_kbench
