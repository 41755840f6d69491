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

  // The only element of this name; none where the answer lacks it.
  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;
};

// The elements with one of these names. An element that is not closed, contains the opening tag of
// another, or is there twice is a fault: nothing says which text is meant.
AnswerElements answer_elements(std::string_view answer, const std::vector<std::string>& names);

// The answer without the prompt that it may repeat, examples and kernels included. The repeated
// part ends with the last line that has the prompt's mark. All of it counts where the mark is
// empty, since the prompt had none.
std::string_view without_prompt(std::string_view answer, std::string_view mark);

}  // namespace robust_kbench
