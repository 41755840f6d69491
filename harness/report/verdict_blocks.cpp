#include "report/verdict_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "report/page_blocks.hpp"
#include "report/summary.hpp"

namespace robust_kbench {
namespace {

using Names = std::vector<std::string>;

void add_new(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::string entry_on_device(const KernelRecord& record) {
  return record.entry.name() + ", " + std::string(to_string(record.device));
}

nlohmann::json chip(const KernelRecord& record, std::size_t index) {
  return {{"t", label(record.judgement)},
          {"verdict", to_string(record.judgement.verdict)},
          {"more", std::string(to_string(record.coverage)) +
                       (record.cases.empty() ? "" : ", " + cases_text(record))},
          {"to", kernel_target(index)}};
}

// The chips of records by row and column.
struct ChipMatrix {
  Names rows;
  Names columns;
  std::map<std::pair<std::string, std::string>, nlohmann::json> chips;
  bool is_transposed = false;  // kernels are rows

  // Whether most cells are empty, so that names in the cells are easier to read than columns.
  [[nodiscard]] bool is_sparse() const {
    constexpr std::size_t few_columns = 3;
    return columns.size() > few_columns && 2 * chips.size() < rows.size() * columns.size();
  }
};

ChipMatrix matrix_of(const std::vector<KernelRecord>& records) {
  Names entries;
  Names kernels;
  for (const KernelRecord& record : records) {
    add_new(entries, entry_on_device(record));
    add_new(kernels, record.name);
  }
  ChipMatrix matrix{.is_transposed = kernels.size() > entries.size()};
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::pair place(entry_on_device(records[i]), records[i].name);
    if (matrix.is_transposed) std::swap(place.first, place.second);
    matrix.chips[place].push_back(chip(records[i], i));
  }
  if (matrix.is_transposed) std::swap(entries, kernels);
  matrix.rows = std::move(entries);
  matrix.columns = std::move(kernels);
  return matrix;
}

TableBlock table_of(const ChipMatrix& matrix) {
  Names header{matrix.is_transposed ? "kernel" : "entry"};
  header.insert(header.end(), matrix.columns.begin(), matrix.columns.end());
  TableBlock table(header);
  for (const std::string& row : matrix.rows) {
    std::vector<nlohmann::json> cells{row};
    for (const std::string& column : matrix.columns) {
      const auto found = matrix.chips.find({row, column});
      cells.push_back(found == matrix.chips.end() ? nlohmann::json()
                                                  : nlohmann::json{{"chips", found->second}});
    }
    table.add(std::move(cells));
  }
  return table;
}

// One cell for all chips of a row, each with the name of its column.
TableBlock list_of(const ChipMatrix& matrix) {
  TableBlock table(matrix.is_transposed ? Names{"kernel", "entries"} : Names{"entry", "kernels"});
  for (const std::string& row : matrix.rows) {
    nlohmann::json chips = nlohmann::json::array();
    for (const std::string& column : matrix.columns) {
      const auto found = matrix.chips.find({row, column});
      if (found == matrix.chips.end()) continue;
      for (nlohmann::json named : found->second) {
        named["of"] = column;
        chips.push_back(std::move(named));
      }
    }
    table.add({row, {{"chips", std::move(chips)}}});
  }
  return table;
}

}  // namespace

std::string kernel_title(const KernelRecord& record) {
  return record.entry.name() + "." + record.name;
}

std::string kernel_target(std::size_t index) {
  return "kernel-" + std::to_string(index);
}

nlohmann::json verdict_blocks(const std::vector<KernelRecord>& records) {
  const ChipMatrix matrix = matrix_of(records);
  const TableBlock table = matrix.is_sparse() ? list_of(matrix) : table_of(matrix);
  return nlohmann::json::array(
      {text_block("Each cell has the verdict, the scope of the tests, and how many cases passed. "
                  "It leads to the kernel.",
                  "note"),
       table.json()});
}

}  // namespace robust_kbench
