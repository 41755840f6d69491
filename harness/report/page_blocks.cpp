#include "report/page_blocks.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include "core/line_diff.hpp"
#include "core/speedup.hpp"
#include "core/verdict.hpp"
#include "report/summary.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

}  // namespace

json page_section(const std::string& id, const std::string& title, json blocks) {
  return {{"id", id}, {"title", title}, {"blocks", std::move(blocks)}};
}

json text_block(const std::string& text, const std::string& look) {
  json block{{"kind", "text"}, {"text", text}};
  if (!look.empty()) block["class"] = look;
  return block;
}

json heading_block(const std::string& text) {
  return {{"kind", "heading"}, {"text", text}};
}

json output_block(const std::string& text) {
  return {{"kind", "output"}, {"text", text}};
}

json command_block(const std::string& text) {
  return {{"kind", "command"}, {"text", text}};
}

json number_cell(double value, const std::string& text) {
  if (!std::isfinite(value)) return nullptr;
  return {{"n", value}, {"t", text}};
}

json count_cell(long long count) {
  return {{"n", count}, {"t", std::to_string(count)}};
}

json ratio_cell(double ratio) {
  return number_cell(ratio, ratio_text(ratio));
}

json interval_cell(const Interval& ratio) {
  return number_cell(ratio.low, interval_text(ratio));
}

json time_cell(double microseconds) {
  return number_cell(microseconds, format_time(microseconds));
}

json verdict_cell(const std::string& text, const std::string& verdict) {
  return {{"t", text}, {"verdict", verdict}};
}

json verdict_cell(const Judgement& judgement) {
  return verdict_cell(label(judgement), std::string(to_string(judgement.verdict)));
}

json link_cell(const std::string& text, const std::string& target) {
  return {{"t", text}, {"to", target}};
}

TableBlock::TableBlock(std::vector<std::string> columns)
    : m_json{{"kind", "table"}, {"columns", std::move(columns)}, {"rows", json::array()}} {}

void TableBlock::add(std::vector<nlohmann::json> cells) {
  m_json["rows"].push_back(std::move(cells));
}

bool TableBlock::empty() const {
  return m_json["rows"].empty();
}

json chart_block(json chart, const TableBlock& table) {
  return {{"kind", "chart"}, {"chart", std::move(chart)}, {"table", table.json()}};
}

json choice_block(const std::string& label, const std::vector<ChoiceItem>& items,
                  std::size_t first) {
  json list = json::array();
  for (const ChoiceItem& item : items) {
    list.push_back({{"name", item.name}, {"target", item.target}, {"blocks", item.blocks}});
  }
  return {{"kind", "choice"}, {"label", label}, {"first", first}, {"items", std::move(list)}};
}

json PageTexts::code_block(const std::string& source) {
  return {{"kind", "code"}, {"text", index_of(source)}};
}

json PageTexts::diff_block(const std::string& before, const std::string& after) {
  json runs = json::array();
  for (const LineEdit& edit : line_edits(before, after)) {
    const std::string mark(1, edit.mark);
    if (!runs.empty() && runs.back()[0] == mark) {
      runs.back()[1] = runs.back()[1].get<int>() + 1;
    } else {
      runs.push_back(json::array({mark, 1}));
    }
  }
  return {{"kind", "diff"},
          {"before", index_of(before)},
          {"after", index_of(after)},
          {"edits", std::move(runs)}};
}

std::size_t PageTexts::index_of(const std::string& text) {
  const auto [found, is_new] = m_indices.emplace(text, m_texts.size());
  if (is_new) m_texts.push_back(text);
  return found->second;
}

json fold_block(const std::string& title, json blocks) {
  return {{"kind", "fold"}, {"title", title}, {"blocks", std::move(blocks)}};
}

json fold_block(const std::string& title, const Judgement& judgement, json blocks) {
  json block = fold_block(title, std::move(blocks));
  block["more"] = label(judgement);
  block["verdict"] = to_string(judgement.verdict);
  return block;
}

}  // namespace robust_kbench
