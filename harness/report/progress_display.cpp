#include "report/progress_display.hpp"

namespace robust_kbench {

void ProgressDisplay::update(const std::string& item, const std::string& stage, double share) {
  m_pulse.update(item, stage);
  const std::scoped_lock lock(m_mutex);
  m_line.update(item + ": " + stage, share);
}

void ProgressDisplay::end(const std::string& item, const std::string& line) {
  m_pulse.finish(item);
  const std::scoped_lock lock(m_mutex);
  if (line.empty()) {
    m_line.clear();
  } else {
    m_line.finish(line);
  }
}

}  // namespace robust_kbench
