#include "transform/cuda_kernel.hpp"

#include <algorithm>
#include <charconv>

namespace robust_kbench {
namespace {

// The place after template arguments that begin at `at`, or `at`.
std::size_t past_template_arguments(const Code& code, std::size_t at) {
  if (code.text(at) != "<") return at;
  for (std::size_t i = at; i < std::min(at + 20, code.size()); ++i) {
    if (code.text(i) == ">") return i + 1;
  }
  return at;
}

std::vector<Launch> launches_of(const Code& code, const std::string& name) {
  std::vector<Launch> result;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.text(i) != name) continue;
    const std::size_t open = past_template_arguments(code, i + 1);
    if (!code.spells(open, {"<<", "<"})) continue;
    const Range rest{open + 2, code.size()};
    const std::size_t close = code.find(rest, ">>");
    const std::size_t comma = code.find({rest.begin, close}, ",");
    if (close == rest.end || comma == close) continue;
    const std::size_t end = code.find({comma + 1, close}, ",");
    result.push_back({{rest.begin, comma}, {comma + 1, end}});
  }
  return result;
}

int number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

// The value of a number, or of a constant `constexpr int name = 256;` or `#define name 256`.
int value_of(const Code& code, std::string_view name) {
  if (const int value = number(name); value > 0) return value;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is_directive(i)) {
      std::vector<Token> words = tokenize(code.text(i).substr(1));
      std::erase_if(words, [](const Token& word) { return word.kind == TokenKind::space; });
      if (words.size() >= 3 && words[0].text == "define" && words[1].text == name) {
        return number(words[2].text);
      }
    } else if (code.text(i) == name && code.text(i + 1) == "=" && code.text(i + 3) == ";" &&
               i > 1 && (code.text(i - 2) == "constexpr" || code.text(i - 2) == "const")) {
      return number(code.text(i + 2));
    }
  }
  return 0;
}

}  // namespace

std::vector<CudaKernel> cuda_kernels(const Code& code, const std::vector<Function>& functions) {
  std::vector<CudaKernel> result;
  for (const Function& function : functions) {
    if (!code.uses(function.head, "__global__")) continue;
    CudaKernel kernel{&function, launches_of(code, function.name), {}, 0};
    for (const Launch& launch : kernel.launches) {
      const std::string block(code.slice(launch.block));
      if (kernel.block.empty()) kernel.block = block;
      if (kernel.block != block) kernel.block = "different ones";
    }
    kernel.block_size = value_of(code, kernel.block);
    result.push_back(std::move(kernel));
  }
  return result;
}

}  // namespace robust_kbench
