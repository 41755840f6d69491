#include "report/table.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

bool is_numeric(const std::string& cell) {
  return cell.empty() || cell == "-" || std::isdigit(static_cast<unsigned char>(cell.front()));
}

// Escapes text so that it stays within one cell.
std::string markdown_cell(const std::string& cell) {
  std::string text;
  for (const char c : cell) {
    if (c == '|') text += '\\';
    if (c == '<') {
      text += "&lt;";  // begins no tag
    } else {
      text += c == '\n' ? ' ' : c;
    }
  }
  return text;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + markdown_cell(cell) + " |";
  return row + "\n";
}

}  // namespace

std::vector<bool> Table::numeric() const {
  std::vector<bool> numeric(m_rows.front().size(), true);
  for (std::size_t r = 1; r < m_rows.size(); ++r) {
    for (std::size_t c = 0; c < numeric.size(); ++c) {
      numeric[c] = numeric[c] && is_numeric(m_rows[r][c]);
    }
  }
  return numeric;
}

std::string Table::console(const Paint& paint) const {
  const std::vector<bool> numeric = this->numeric();
  std::vector<std::size_t> widths(numeric.size(), 0);
  for (const auto& row : m_rows) {
    for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : m_rows) {
    std::string line;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string shown = numeric[c] ? fmt::format("{:>{}}", row[c], widths[c])
                                           : fmt::format("{:<{}}", row[c], widths[c]);
      const bool painted = paint && &row != &m_rows.front();
      line += (painted ? paint(m_rows.front()[c], row[c], shown) : shown) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Table::markdown() const {
  std::string text = markdown_row(m_rows.front()) + "|";
  for (const bool number : numeric()) text += number ? "---:|" : "---|";
  text += "\n";
  for (std::size_t r = 1; r < m_rows.size(); ++r) text += markdown_row(m_rows[r]);
  return text;
}

}  // namespace robust_kbench
