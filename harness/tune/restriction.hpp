#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace robust_kbench {

// A condition on the values of tunables, in integers of 64 bits:
//   + - * / % and unary - as in C++, comparisons, && || ! or `and` `or` `not`, parentheses,
//   integers and names.
// `not` binds less tightly than a comparison, and in a chain a <= b <= c each comparison holds,
// both as in Python.
class Restriction {
 public:
  struct Node;
  using Lookup = std::function<std::optional<long long>(const std::string& name)>;

  // `line` is where the text stands in a source, 0 for elsewhere. Throws SourceError for bad
  // syntax.
  static Restriction parse(std::string_view text, int line);

  const std::string& text() const { return m_text; }
  int line() const { return m_line; }
  const std::set<std::string>& names() const { return m_names; }

  // Whether the condition holds; nothing where a name has no value, the arithmetic overflows or a
  // divisor is zero.
  std::optional<bool> holds(const Lookup& value_of) const;

 private:
  std::string m_text;
  int m_line = 0;
  std::set<std::string> m_names;
  std::shared_ptr<const Node> m_root;
};

}  // namespace robust_kbench
