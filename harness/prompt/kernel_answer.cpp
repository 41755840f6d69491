#include "prompt/kernel_answer.hpp"

#include <algorithm>
#include <vector>

#include "core/utf8.hpp"
#include "prompt/answer_elements.hpp"
#include "prompt/entry_contract.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t longest_name = 48;
constexpr std::string_view block_fence = "```";
constexpr std::string_view module_macro = "PYBIND11_MODULE";

ParsedKernelAnswer refused(const std::string& reason) {
  return {.kernel = {}, .reason = reason};
}

// The contents of the Markdown blocks of a text, in its order. A block that is not closed does not
// count.
std::vector<std::string> fenced_blocks(std::string_view text) {
  std::vector<std::string> blocks;
  std::size_t at = 0;
  while ((at = text.find(block_fence, at)) != std::string::npos) {
    const std::size_t begin = text.find('\n', at);
    if (begin == std::string::npos) break;
    const std::size_t end = text.find("\n```", begin);
    if (end == std::string::npos) break;
    blocks.emplace_back(text.substr(begin + 1, end - begin));
    at = end + 1 + block_fence.size();
  }
  return blocks;
}

// The source without the Markdown block that a model may put into the element.
std::string without_block_fence(const std::string& code) {
  if (!code.starts_with(block_fence)) return code;
  const std::vector<std::string> blocks = fenced_blocks(code);
  return blocks.size() == 1 ? blocks.front() : code;
}

std::string with_line_end(std::string code) {
  if (!code.ends_with('\n')) code += '\n';
  return code;
}

ParsedKernelAnswer from_blocks(std::string_view text, const std::string& language) {
  std::vector<std::string> sources;
  for (std::string& block : fenced_blocks(text)) {
    if (block.find(module_macro) != std::string::npos) sources.push_back(std::move(block));
  }
  const std::string asked = "; the source must stand between <" + language + "> and </" + language +
                            ">, each at the beginning of a line";
  if (sources.empty()) return refused("the answer has no <" + language + "> element" + asked);
  if (sources.size() > 1) return refused("the answer has several blocks with a source" + asked);
  return {.kernel = KernelAnswer{.code = with_line_end(sources.front())}, .reason = {}};
}

}  // namespace

bool has_module(std::string_view answer, std::string_view mark) {
  const std::string_view text = without_prompt(answer, mark);
  const std::size_t at = text.find(module_macro);
  return at != std::string_view::npos && text.substr(at + module_macro.size()).starts_with('(');
}

bool is_answer_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, is_allowed);
}

ParsedKernelAnswer parse_kernel_answer(std::string_view answer, Device device,
                                       std::string_view mark) {
  const std::string_view text = without_prompt(answer, mark);
  const std::string language = language_of(device);
  const std::string other = language_of(device == Device::cuda ? Device::cpu : Device::cuda);
  const AnswerElements elements =
      answer_elements(text, {"name", "description", "strategy", language, other});
  if (!elements.fault.empty()) return refused(elements.fault + "; each element stands alone, once");
  const std::optional<std::string> code = elements.find(language);
  if (!code && elements.find(other)) {
    return refused("the answer has <" + other + "> where <" + language + "> is asked for");
  }
  if (!code) return from_blocks(text, language);
  const std::string name = elements.find("name").value_or("");
  if (!name.empty() && !is_answer_name(name)) {
    return refused("a name has 1 to 48 characters out of a-z, 0-9 and _, and no others");
  }
  const std::string source = without_block_fence(*code);
  if (source.empty()) return refused("<" + language + "> is empty");
  return {.kernel = KernelAnswer{.name = name,
                                 .description = elements.find("description").value_or(""),
                                 .strategy = first_line(elements.find("strategy").value_or("")),
                                 .code = with_line_end(source)},
          .reason = {}};
}

}  // namespace robust_kbench
