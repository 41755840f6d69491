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

nlohmann::json chip(const KernelRecord& record, std::size_t index) {
  return {{"t", label(record.judgement)},
          {"verdict", to_string(record.judgement.verdict)},
          {"more", std::string(to_string(record.coverage)) +
                       (record.cases.empty() ? "" : ", " + cases_text(record))},
          {"to", kernel_target(index)}};
}

}  // namespace

std::string kernel_title(const KernelRecord& record) {
  return record.entry.name() + "." + record.name;
}

std::string kernel_target(std::size_t index) {
  return "kernel-" + std::to_string(index);
}

nlohmann::json verdict_blocks(const std::vector<KernelRecord>& records) {
  Names entries;
  Names kernels;
  std::map<std::pair<std::string, std::string>, nlohmann::json> chips;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string entry =
        records[i].entry.name() + ", " + std::string(to_string(records[i].device));
    add_new(entries, entry);
    add_new(kernels, records[i].name);
    chips[{entry, records[i].name}].push_back(chip(records[i], i));
  }
  const bool is_transposed = kernels.size() > entries.size();
  const Names& columns = is_transposed ? entries : kernels;
  Names header{is_transposed ? "kernel" : "entry"};
  header.insert(header.end(), columns.begin(), columns.end());
  TableBlock table(header);
  for (const std::string& row : is_transposed ? kernels : entries) {
    std::vector<nlohmann::json> cells{row};
    for (const std::string& column : columns) {
      const auto found =
          chips.find(is_transposed ? std::pair(column, row) : std::pair(row, column));
      cells.push_back(found == chips.end() ? nlohmann::json()
                                           : nlohmann::json{{"chips", found->second}});
    }
    table.add(std::move(cells));
  }
  return nlohmann::json::array(
      {text_block("Each cell has the verdict, the scope of the tests, and how many cases passed. "
                  "It leads to the kernel.",
                  "note"),
       table.json()});
}

}  // namespace robust_kbench
