#pragma once

#include <functional>
#include <string>
#include <vector>

namespace robust_kbench {

// A table of text: numbers to the right, words to the left, columns as wide as their content.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : m_rows{std::move(header)} {}

  void add(std::vector<std::string> row) { m_rows.push_back(std::move(row)); }
  // `paint` may add what takes no column of a terminal, such as a colour, to a cell below `header`.
  // `shown` is the cell in its full width.
  using Paint = std::function<std::string(const std::string& header, const std::string& cell,
                                          const std::string& shown)>;
  [[nodiscard]] std::string console(const Paint& paint = {}) const;
  [[nodiscard]] std::string markdown() const;

 private:
  // For each column, whether all cells below the header are numbers.
  [[nodiscard]] std::vector<bool> numeric() const;

  std::vector<std::vector<std::string>> m_rows;  // the first is the header
};

}  // namespace robust_kbench
