#include "core/kernel_name.hpp"

namespace robust_kbench {
namespace {

// The start of the parameter list: the last opening bracket that is not inside another one.
std::size_t parameters(std::string_view name) {
  int depth = 0;
  std::size_t begin = name.size();
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' && depth == 0) begin = i;
    depth += c == '(' || c == '<';
    depth -= c == ')' || c == '>';
  }
  return begin;
}

// The index after the last space that is in no bracket.
std::size_t past_return_type(std::string_view name) {
  int depth = 0;
  std::size_t past = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    depth += c == '(' || c == '<';
    depth -= c == ')' || c == '>';
    if (c == ' ' && depth == 0) past = i + 1;
  }
  return past;
}

}  // namespace

std::string short_kernel_name(std::string_view name) {
  name = name.substr(0, parameters(name));
  name.remove_prefix(past_return_type(name));
  for (const std::string_view unnamed : {"(anonymous namespace)::", "<unnamed>::"}) {
    while (name.starts_with(unnamed)) name.remove_prefix(unnamed.size());
  }
  return std::string(name);
}

}  // namespace robust_kbench
