#include "serve/line_reader.hpp"

namespace robust_kbench {

void LineReader::feed(std::string_view bytes, const Handlers& handlers) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (!m_too_long && part.size() > m_max_bytes - m_line.size()) {
      m_too_long = true;
      m_line.clear();
      m_line.shrink_to_fit();
      handlers.on_too_long();
    }
    if (!m_too_long) m_line += part;
    if (end == std::string_view::npos) return;
    if (!m_line.empty()) handlers.on_line(m_line);
    m_line.clear();
    m_too_long = false;
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace robust_kbench
