#include <algorithm>
#include <string>

#include "transform/loop_facts.hpp"
#include "transform/rules/rules.hpp"
#include "transform/vector_math.hpp"

namespace robust_kbench {
namespace {

constexpr int most_unrolled = 8;  // iterations of an inner loop that the compiler unrolls whole

bool is_small_number(const Code& code, Range range) {
  if (range.size() != 1 || code.token(range.begin).kind != TokenKind::number) return false;
  const std::string_view text = code.text(range.begin);
  return text.size() == 1 && text[0] - '0' <= most_unrolled;
}

// Whether each inner loop makes a small number of iterations, so that none is left once the
// compiler has unrolled them.
bool is_flat(const Code& code, const SourceStatement& loop) {
  const auto inner = loops_of(loop.children);
  return std::all_of(inner.begin(), inner.end(), [&](const SourceStatement* statement) {
    return is_small_number(code, statement->loop.bound);
  });
}

std::string clauses(const LoopFacts& facts) {
  std::string result;
  for (const Reduction& reduction : facts.reductions) {
    result += " reduction(" + reduction.operation + " : " + reduction.variable + ")";
  }
  return result;
}

RuleResult simd_loops(const RuleContext& context, bool reductions) {
  const Code& code = context.code;
  RuleResult result{reductions ? "simd_reduction" : "simd_independent", {}};
  for (const Function& function : context.functions) {
    for (const SourceStatement* loop : loops_of(function.statements)) {
      if (has_pragma(code, *loop, "omp") || !is_flat(code, *loop)) continue;
      if (is_in_remainder(context, *loop)) continue;
      const LoopFacts facts = facts_of(code, context.functions, *loop);
      if (!facts.understood || facts.leaves || facts.reductions.empty() == reductions) continue;
      if (!facts.independent) continue;
      if (!reductions && !facts.writes_memory) continue;
      const std::string pragma = "#pragma omp simd" + clauses(facts);
      Change change{"`" + pragma + "` on the loop over " + loop->loop.variable, loop->range, {}};
      change.edits = declare_vector_math(code, facts.math);
      change.edits.push_back(line_before(code, loop->range.begin, pragma));
      result.changes.push_back(std::move(change));
    }
  }
  return result;
}

}  // namespace

std::vector<RuleResult> simd(const RuleContext& context) {
  RuleResult reductions = simd_loops(context, true);
  RuleResult independent = simd_loops(context, false);
  RuleResult both{"simd", reductions.changes, true};
  both.changes.insert(both.changes.end(), independent.changes.begin(), independent.changes.end());
  if (independent.changes.empty()) both.rule = reductions.rule;
  if (reductions.changes.empty()) both.rule = independent.rule;
  return {both, reductions, independent};
}

}  // namespace robust_kbench
