#include "prompt/answer_elements.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

constexpr std::string_view spaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

// Calls `visit` with each line, without its end, and the offset at which it begins.
template <typename Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    visit(text.substr(begin, end - begin), begin);
    begin = end + 1;
  }
}

std::string opening(const std::string& name) {
  return "<" + name + ">";
}

std::string closing(const std::string& name) {
  return "</" + name + ">";
}

// The name whose opening tag begins the line; empty where none does.
std::string opened_by(std::string_view line, const std::vector<std::string>& names) {
  const std::string_view text = trimmed(line);
  for (const std::string& name : names) {
    if (text.starts_with(opening(name))) return name;
  }
  return "";
}

}  // namespace

std::optional<std::string> AnswerElements::find(std::string_view name) const {
  for (const AnswerElement& element : elements) {
    if (element.name == name) return element.text;
  }
  return {};
}

std::string_view without_prompt(std::string_view answer, std::string_view mark) {
  const std::size_t last = answer.rfind(mark);
  if (mark.empty() || last == std::string_view::npos) return answer;
  return answer.substr(std::min(answer.find('\n', last), answer.size()));
}

AnswerElements answer_elements(std::string_view answer, const std::vector<std::string>& names) {
  AnswerElements result;
  std::string open;       // the element that is open
  std::size_t begin = 0;  // of its text
  for_each_line(answer, [&](std::string_view line, std::size_t offset) {
    if (!result.fault.empty()) return;
    const std::string name = opened_by(line, names);
    if (!name.empty()) {
      if (!open.empty()) {
        result.fault = opening(name) + " stands within " + opening(open);
        return;
      }
      if (result.find(name)) {
        result.fault = "there are two elements " + opening(name);
        return;
      }
      open = name;
      begin = answer.find(opening(name), offset) + name.size() + 2;
    }
    const std::string_view ended = trimmed(line);
    if (open.empty()) return;
    if (!ended.starts_with(closing(open)) && !ended.ends_with(closing(open))) return;
    const std::size_t end = answer.rfind(closing(open), offset + line.size());
    result.elements.push_back({open, std::string(trimmed(answer.substr(begin, end - begin)))});
    open.clear();
  });
  if (result.fault.empty() && !open.empty()) result.fault = opening(open) + " is not closed";
  return result;
}

}  // namespace robust_kbench
