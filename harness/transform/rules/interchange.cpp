#include <algorithm>
#include <string>
#include <utility>

#include "transform/loop_facts.hpp"
#include "transform/movement.hpp"
#include "transform/rules/loop_tile.hpp"
#include "transform/rules/rules.hpp"
#include "transform/vector_math.hpp"

namespace robust_kbench {
namespace {

// Counts the elements that inner loops go through, which decide first, and all others.
struct Score {
  int inside = 0;
  int all = 0;
  bool scatters = false;  // what it writes lies by rows
};

Score score_of(const RuleContext& context, const SourceStatement& loop) {
  const MovementAnalysis movement(context.code, context.functions, loop);
  Score score;
  for (const SourceStatement& statement : loop.children) {
    if (holds_loop(statement)) score.inside += movement.contiguity(statement.range);
  }
  score.all = movement.contiguity(body_of(loop));
  for (const SourceStatement* statement : all_of(loop.children)) {
    const auto assignment = assignment_of(context.code, statement->range);
    if (!assignment || statement->kind != StatementKind::expression) continue;
    const Motion motion = movement.motion(assignment->target, assignment->indices);
    if (motion.movement == Movement::scaled && !motion.by_number) score.scatters = true;
  }
  return score;
}

bool is_interchangeable(const RuleContext& context, const SourceStatement& loop,
                        const LoopFacts& facts) {
  const LoopHeader& header = loop.loop;
  if (!header.step.empty() || header.compare != "<") return false;
  if (is_in_remainder(context, loop) || has_pragma(context.code, loop, "omp")) return false;
  const bool sums = std::all_of(facts.reductions.begin(), facts.reductions.end(),
                                [](const Reduction& r) { return r.operation == "+"; });
  return facts.understood && facts.independent && sums && !facts.leaves && facts.has_inner_loop;
}

}  // namespace

std::vector<RuleResult> interchange(const RuleContext& context) {
  const Code& code = context.code;
  FreshNames names(code);
  std::vector<std::pair<int, Change>> found;
  RuleResult by_rows{"interchange", {}};
  for (const Function& function : context.functions) {
    for (const SourceStatement* loop : loops_of(function.statements)) {
      const LoopFacts facts = facts_of(code, context.functions, *loop);
      if (!is_interchangeable(context, *loop, facts)) continue;
      const Score score = score_of(context, *loop);
      const bool neighbours = score.inside >= 0 && score.all >= 0 && !score.scatters;
      // Vector functions may outweigh that elements lie by rows, where rows are short.
      const bool vectors = std::any_of(facts.math.begin(), facts.math.end(), has_vector_version);
      if (!neighbours && !vectors) continue;
      std::string text = tiled_inside(context, *loop, names);
      if (text.empty()) continue;
      Change change{
          "the loop over " + loop->loop.variable + " moved inside, by tiles", loop->range, {}};
      change.edits = declare_vector_math(code, facts.math);
      change.edits.push_back(statement_replacement(code, *loop, std::move(text)));
      if (neighbours) {
        found.emplace_back(score.all, std::move(change));
      } else {
        by_rows.changes.push_back(std::move(change));
      }
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  RuleResult result{"interchange", {}};
  for (auto& [score, change] : found) result.changes.push_back(std::move(change));
  return {result, by_rows};
}

}  // namespace robust_kbench
