#include "transform/assignment.hpp"

#include <algorithm>
#include <array>

namespace robust_kbench {
namespace {

constexpr std::array<std::string_view, 11> operations{
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

bool is_operation(std::string_view text) {
  return std::find(operations.begin(), operations.end(), text) != operations.end();
}

// Adds what is between the brackets of an index, at least one.
void add_indices(const Code& code, Range inside, std::vector<Range>& indices) {
  if (inside.empty()) indices.push_back(inside);
  for (const Range index : code.parts(inside)) indices.push_back(index);
}

// The indices of a range `name[index]...`; nothing where it is no such range.
std::optional<std::vector<Range>> indices_of(const Code& code, Range range) {
  std::vector<Range> result;
  std::size_t at = range.begin + 1;
  while (at < range.end) {
    const std::size_t close = code.partner(at);
    if (!code.opens_index(at) || close >= range.end) return {};
    add_indices(code, {at + 1, close}, result);
    at = close + 1;
  }
  return result;
}

}  // namespace

bool writes(const Code& code, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::string_view text = code.text(i);
    if (is_operation(text) || text == "++" || text == "--") return true;
  }
  return false;
}

std::optional<Assignment> assignment_of(const Code& code, Range statement) {
  Range range{statement.begin, statement.end - 1};
  if (code.text(range.end) != ";" || range.size() < 2) return {};
  Assignment result;
  for (const std::string_view step : {"++", "--"}) {
    const bool before = code.text(range.begin) == step;
    if (!before && code.text(range.end - 1) != step) continue;
    result.place = before ? Range{range.begin + 1, range.end} : Range{range.begin, range.end - 1};
    result.operation = step == "++" ? "+=" : "-=";
  }
  if (result.place.empty()) {
    std::size_t at = range.begin;
    while (at < range.end && !is_operation(code.text(at))) {
      const std::size_t close = code.partner(at);
      at = close < range.end && close > at ? close + 1 : at + 1;
    }
    if (at == range.end) return {};
    result.place = {range.begin, at};
    result.operation = code.text(at);
    result.value = {at + 1, range.end};
  }
  if (!code.is_name(result.place.begin)) return {};
  if (writes(code, result.value) || writes(code, result.place)) return {};
  if (code.find(result.value, ",") < result.value.end) return {};
  const auto indices = indices_of(code, result.place);
  if (!indices) return {};
  result.target = code.text(result.place.begin);
  result.indices = *indices;
  return result;
}

std::vector<Element> elements_of(const Code& code, Range range) {
  std::vector<Element> result;
  for (std::size_t i = range.begin; i + 1 < range.end; ++i) {
    if (!code.is_name(i) || !code.opens_index(i + 1)) continue;
    Element element{std::string(code.text(i)), {}, {i, i + 1}};
    while (code.opens_index(element.range.end) && code.partner(element.range.end) < range.end) {
      const std::size_t close = code.partner(element.range.end);
      add_indices(code, {element.range.end + 1, close}, element.indices);
      element.range.end = close + 1;
    }
    result.push_back(std::move(element));
  }
  return result;
}

}  // namespace robust_kbench
