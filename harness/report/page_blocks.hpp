#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/judgement.hpp"
#include "core/statistics.hpp"

#include <nlohmann/json.hpp>

// The parts of which pages are made, as the JSON that page/page.js shows. A page is
// {"title", "summary": blocks, "sections": [{"id", "title", "blocks"}], "texts": [...]}, whose
// texts are sources that blocks share.
namespace robust_kbench {

nlohmann::json page_section(const std::string& id, const std::string& title, nlohmann::json blocks);

// A paragraph. `look` is "headline", "note", "warning" or empty.
nlohmann::json text_block(const std::string& text, const std::string& look = "");
nlohmann::json heading_block(const std::string& text);
nlohmann::json output_block(const std::string& text);   // as a terminal shows it
nlohmann::json command_block(const std::string& text);  // with a button that copies it

// Cells of a table.
nlohmann::json number_cell(double value, const std::string& text);  // null unless finite
nlohmann::json count_cell(long long count);
nlohmann::json ratio_cell(double ratio);
nlohmann::json interval_cell(const Interval& ratio);  // sorted by its lower end
nlohmann::json time_cell(double microseconds);
nlohmann::json verdict_cell(const std::string& text, const std::string& verdict);
nlohmann::json verdict_cell(const Judgement& judgement);
nlohmann::json link_cell(const std::string& text, const std::string& target);

// A table that its reader sorts and searches.
class TableBlock {
 public:
  explicit TableBlock(std::vector<std::string> columns);

  void add(std::vector<nlohmann::json> cells);
  [[nodiscard]] bool empty() const;
  [[nodiscard]] nlohmann::json json() const { return m_json; }

 private:
  nlohmann::json m_json;
};

// A chart of page/chart_options.js, and below it the same figures as a table.
nlohmann::json chart_block(nlohmann::json chart, const TableBlock& table);

// Blocks of which one is shown at a time, `first` at first. Cells lead to an item by its target.
struct ChoiceItem {
  std::string name;
  std::string target;
  nlohmann::json blocks;
};
nlohmann::json choice_block(const std::string& label, const std::vector<ChoiceItem>& items,
                            std::size_t first = 0);

// The sources of a page, each of which is there once.
class PageTexts {
 public:
  // A block that shows the source, highlighted.
  nlohmann::json code_block(const std::string& source);
  // A block that shows both sources as one, with marks on the lines that differ.
  nlohmann::json diff_block(const std::string& before, const std::string& after);
  [[nodiscard]] const std::vector<std::string>& all() const { return m_texts; }

 private:
  std::size_t index_of(const std::string& text);

  std::vector<std::string> m_texts;
  std::map<std::string, std::size_t> m_indices;
};

// Blocks below a heading that opens and closes.
nlohmann::json fold_block(const std::string& title, nlohmann::json blocks);
nlohmann::json fold_block(const std::string& title, const Judgement& judgement,
                          nlohmann::json blocks);

}  // namespace robust_kbench
