#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// The elements of a language model's answer, `<name>` to `</name>`. The opening tag stands at the
// beginning of a line, and the closing tag at the beginning or the end of one. All text outside is
// ignored.
struct AnswerElement {
  std::string name;
  std::string text;  // without the space around it
};

struct AnswerElements {
  std::vector<AnswerElement> elements;  // in the order of the answer
  std::string fault;                    // why the answer cannot be taken apart; empty: it can

  // The only element of a name; none where there is none.
  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;
};

// The elements with one of these names. It is a fault where one is not closed, contains the opening
// tag of another, or is there twice: nothing says which text is meant.
AnswerElements answer_elements(std::string_view answer, const std::vector<std::string>& names);

// What the answer says beyond its prompt, whose mark this is; empty: it had none. Up to the last
// line with the mark it repeats the prompt, with the examples and kernels that are shown there.
std::string_view without_prompt(std::string_view answer, std::string_view mark);

}  // namespace robust_kbench
