#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {

// Tokens from `begin` up to, not including, `end`.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] std::size_t size() const { return empty() ? 0 : end - begin; }
  [[nodiscard]] bool holds(const Range& other) const {
    return begin <= other.begin && other.end <= end;
  }
};

// Identifiers and what stands for them.
using Renames = std::map<std::string, std::string>;

// A source's tokens without spaces and comments, with its brackets matched.
class Code {
 public:
  explicit Code(std::string_view source);

  [[nodiscard]] std::string_view source() const { return m_source; }
  [[nodiscard]] std::size_t size() const { return m_tokens.size(); }
  [[nodiscard]] const Token& token(std::size_t i) const { return m_tokens[i]; }
  // The text of a token; empty after the last one.
  [[nodiscard]] std::string_view text(std::size_t i) const;
  [[nodiscard]] bool is_name(std::size_t i) const;
  [[nodiscard]] bool is_directive(std::size_t i) const;
  // Whether the tokens from `i` on have these texts.
  [[nodiscard]] bool spells(std::size_t i, const std::vector<std::string_view>& texts) const;
  // The bracket that closes or opens the one at `i`; size() where it has none.
  [[nodiscard]] std::size_t partner(std::size_t i) const { return m_partners[i]; }
  // The first token with this text outside of brackets, or the range's end.
  [[nodiscard]] std::size_t find(Range range, std::string_view text) const;
  // The parts of a range between its commas outside of brackets. An empty range has none.
  [[nodiscard]] std::vector<Range> parts(Range range) const;

  // The source's own text, with spaces and comments between the tokens.
  [[nodiscard]] std::string_view slice(Range range) const;
  // The text of slice() with names replaced, except those of members and of other namespaces.
  [[nodiscard]] std::string renamed(Range range, const Renames& renames) const;
  // The identifiers of a range, except those of members and of other namespaces.
  [[nodiscard]] std::set<std::string> names(Range range) const;
  [[nodiscard]] bool uses(Range range, const std::string& name) const;

  // Whether the bracket at `i` begins an index: `[`, or the `(` of `name(i, j)` where that is an
  // element. It is one where `name` is a parameter of a function, and the source's own call
  // operators do nothing but to return elements.
  [[nodiscard]] bool opens_index(std::size_t i) const;

  // A name that begins with this one and that the source does not have.
  [[nodiscard]] std::string fresh(const std::string& name) const;
  // The spaces at the start of the line of `i`.
  [[nodiscard]] std::string indentation(std::size_t i) const;

 private:
  [[nodiscard]] bool stands_alone(std::size_t i) const;
  [[nodiscard]] bool returns_element(std::size_t brace) const;
  void find_element_names();

  std::string_view m_source;
  std::vector<Token> m_tokens;
  std::vector<std::size_t> m_partners;
  std::set<std::string, std::less<>> m_element_names;  // whose call operators return elements
};

// A replacement of bytes of the source.
struct Edit {
  std::size_t offset;
  std::size_t length;
  std::string text;
};

// The source after edits that do not overlap.
std::string edited(std::string_view source, std::vector<Edit> edits);

// Lines of code indented by their brackets, from `indentation` on. Directives stay at the margin.
std::string indented(std::string_view text, const std::string& indentation);

Edit replacement(const Code& code, Range range, std::string text);

// An edit that puts a line before the line of a token. The text ends without a line end.
Edit line_before(const Code& code, std::size_t i, const std::string& text);

// An edit that puts lines after the last #include that no #if surrounds, or at the beginning. The
// text ends without a line end.
Edit after_includes(const Code& code, const std::string& text);

}  // namespace robust_kbench
