#pragma once

#include <set>
#include <string>
#include <vector>

#include "source/code.hpp"
#include "transform/statement.hpp"
#include "transform/transforms.hpp"

namespace robust_kbench {

// The source that a rule looks at, and the remarks on it.
struct RuleContext {
  const Code& code;
  const std::vector<Function>& functions;
  const std::vector<Remark>& remarks;
};

// A change that a rule can make at one place.
struct Change {
  std::string summary;
  Range range;  // of the tokens that it concerns
  std::vector<Edit> edits;
};

// Changes that may be made one by one, or all of them at once where their ranges are apart.
struct RuleResult {
  std::string rule;
  std::vector<Change> changes;
  bool only_together = false;  // single ones are in other results
};

// Names that neither the source nor an earlier change has.
class FreshNames {
 public:
  explicit FreshNames(const Code& code) : m_code(code) {}
  std::string make(const std::string& name);

 private:
  const Code& m_code;
  std::set<std::string> m_made;
};

// Whether a loop makes the iterations that an unrolled one has left, or is in such a loop. So few
// iterations gain nothing by further edits.
bool is_in_remainder(const RuleContext& context, const SourceStatement& loop);

// Whether the line before a statement is a directive with these words.
bool has_pragma(const Code& code, const SourceStatement& statement, std::string_view words);

// Whether a statement stands in braces, where further ones may stand before it.
bool stands_in_braces(const Code& code, const SourceStatement& statement);

// Puts statements in the place of one, with braces where that one stands alone.
Edit statement_replacement(const Code& code, const SourceStatement& statement, std::string text);

// The text of an expression for a place within another one. It is in brackets, unless it is a
// single word.
std::string operand(const Code& code, Range expression);

// How many iterations a loop has that counts by ones, as an operand. The text is negative, or wraps
// around, where the loop has none.
std::string iterations_of(const Code& code, const LoopHeader& loop);

// The value of the variable at which the last whole group of `count` iterations ends. The loop
// counts by ones.
std::string end_of_groups(const Code& code, const LoopHeader& loop, const std::string& count);

// The type of a declaration without `const`.
std::string plain_type(const Code& code, Range type);

}  // namespace robust_kbench
