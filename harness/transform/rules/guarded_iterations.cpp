#include "transform/rules/guarded_iterations.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace robust_kbench {
namespace {

constexpr std::array<std::string_view, 6> signed_types{"int",     "long",      "int64_t",
                                                       "int32_t", "ptrdiff_t", "std::ptrdiff_t"};

class GuardSearch {
 public:
  GuardSearch(const Code& code, const SourceStatement& loop, const MovementAnalysis& movement,
              const std::vector<const SourceStatement*>& declarations)
      : m_code(code), m_loop(loop), m_movement(movement), m_declarations(declarations) {}

  bool add_term(Range term) {
    for (const std::string_view sign : {">=", ">", "<=", "<"}) {
      const std::size_t at = m_code.find(term, sign);
      if (at >= term.end) continue;
      const Range left{term.begin, at};
      const Range right{at + 1, term.end};
      const bool above = sign.front() == '>';
      const bool equal = sign.size() == 2;
      if (m_movement.depends(left)) return add(left, right, above, equal);
      return add(right, left, !above, equal);
    }
    return false;
  }

  GuardedIterations result;

 private:
  // `moving` is above `fixed`, or below, or perhaps equal.
  bool add(Range moving, Range fixed, bool above, bool equal) {
    if (m_movement.depends(fixed) || writes(m_code, fixed)) return false;
    if (moving.size() == 1) moving = initial_value(moving);
    const auto offset = offset_of(moving);
    if (!offset) return false;
    const std::string type(m_code.slice(m_loop.loop.type));
    std::string text = "static_cast<" + type + ">(" + std::string(m_code.slice(fixed)) + ")";
    if (fixed.size() == 1) text = m_code.text(fixed.begin);
    if (!offset->empty()) text += " - (" + *offset + ")";
    if (above != equal) text += " + 1";
    (above ? result.first : result.end).push_back(text);
    return true;
  }

  [[nodiscard]] Range initial_value(Range name) const {
    // The last declaration of a name hides those before it.
    const auto found = std::find_if(m_declarations.rbegin(), m_declarations.rend(),
                                    [&](const SourceStatement* statement) {
                                      return statement->declaration.name == m_code.text(name.begin);
                                    });
    return found == m_declarations.rend() ? name : (*found)->declaration.initialiser;
  }

  // The offset that a sum adds to the loop's variable; nothing where it is no such sum.
  [[nodiscard]] std::optional<std::string> offset_of(Range sum) const {
    std::size_t at = sum.end;
    for (std::size_t i = sum.begin; i < sum.end; ++i) {
      const std::string_view text = m_code.text(i);
      const bool plain = m_code.is_name(i) || m_code.token(i).kind == TokenKind::number ||
                         text == "+" || text == "-" || text == "*" || text == ".";
      if (!plain) return {};
      if (!m_movement.depends(Range{i, i + 1})) continue;
      if (at != sum.end || text != m_loop.loop.variable) return {};
      at = i;
    }
    if (at == sum.end) return {};
    const std::string_view before = at == sum.begin ? "" : m_code.text(at - 1);
    const std::string_view after = at + 1 == sum.end ? "" : m_code.text(at + 1);
    if ((before != "" && before != "+") || (after != "" && after != "+" && after != "-")) return {};
    if (before.empty()) {
      const std::size_t rest = after == "+" ? at + 2 : at + 1;
      return std::string(m_code.slice({rest, sum.end}));
    }
    return std::string(m_code.slice({sum.begin, at - 1})) +
           (after.empty() ? "" : " " + std::string(m_code.slice({at + 1, sum.end})));
  }

  const Code& m_code;
  const SourceStatement& m_loop;
  const MovementAnalysis& m_movement;
  const std::vector<const SourceStatement*>& m_declarations;
};

}  // namespace

std::optional<GuardedIterations> guarded_iterations(
    const Code& code, const SourceStatement& loop, const MovementAnalysis& movement,
    const std::vector<const SourceStatement*>& declarations, Range condition) {
  const std::string_view type = code.slice(loop.loop.type);
  if (std::find(signed_types.begin(), signed_types.end(), type) == signed_types.end()) return {};
  if (code.find(condition, "||") < condition.end || code.find(condition, "?") < condition.end) {
    return {};
  }
  GuardSearch search(code, loop, movement, declarations);
  for (std::size_t begin = condition.begin; begin < condition.end;) {
    const std::size_t end = code.find({begin, condition.end}, "&&");
    if (!search.add_term({begin, end})) return {};
    begin = end + 1;
  }
  return search.result;
}

}  // namespace robust_kbench
