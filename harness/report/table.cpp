#include "report/table.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

bool is_numeric(const std::string& cell) {
  return cell.empty() || cell == "-" || std::isdigit(static_cast<unsigned char>(cell.front()));
}

}  // namespace

std::string Table::console() const {
  const std::size_t columns = m_rows.front().size();
  std::vector<std::size_t> widths(columns, 0);
  std::vector<bool> numeric(columns, true);
  for (std::size_t r = 0; r < m_rows.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      widths[c] = std::max(widths[c], m_rows[r][c].size());
      if (r > 0) numeric[c] = numeric[c] && is_numeric(m_rows[r][c]);
    }
  }
  std::string text;
  for (const auto& row : m_rows) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      line += numeric[c] ? fmt::format("{:>{}}", row[c], widths[c])
                         : fmt::format("{:<{}}", row[c], widths[c]);
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace robust_kbench
