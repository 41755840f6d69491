#include <algorithm>
#include <string>

#include "transform/loop_facts.hpp"
#include "transform/movement.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

// How many times the innermost statements of a loop run, as far as names from outside tell.
std::string work_of(const RuleContext& context, const SourceStatement& loop) {
  const Code& code = context.code;
  const MovementAnalysis movement(code, context.functions, loop);
  const auto from_outside = [&](Range range) {
    const auto names = code.names(range);
    return !movement.depends(range) &&
           std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return movement.locals().contains(name); });
  };
  std::string result;
  const auto multiply = [&](const LoopHeader& header) {
    if (!result.empty()) result += " * ";
    result += iterations_of(code, header);
  };
  multiply(loop.loop);
  const SourceStatement* around = &loop;
  for (const SourceStatement* inner : loops_of(loop.children)) {
    // The first loop of each depth stands for its neighbours.
    if (!around->range.holds(inner->range)) continue;
    around = inner;
    if (from_outside(inner->loop.first) && from_outside(inner->loop.bound)) multiply(inner->loop);
  }
  return result;
}

bool is_parallel(const RuleContext& context, const SourceStatement& loop) {
  const LoopFacts facts = facts_of(context.code, context.functions, loop);
  return facts.understood && facts.independent && !facts.leaves && facts.writes_memory &&
         facts.reductions.empty() && loop.loop.compare != "!=";
}

}  // namespace

std::vector<RuleResult> parallel_for(const RuleContext& context) {
  const Code& code = context.code;
  if (code.source().find("omp parallel") != std::string_view::npos) return {};
  RuleResult result{"parallel_for", {}};
  const std::string least = code.fresh("parallel_work");
  const std::string constant =
      "constexpr double " + least + " = 1e5;  // tune: 3e4, 1e5, 3e5, 1e6, 3e6, 1e7";
  for (const Function& function : context.functions) {
    Range taken;
    for (const SourceStatement* loop : loops_of(function.statements)) {
      // The outermost loop that fits has the most work for each thread.
      if (taken.holds(loop->range) || has_pragma(code, *loop, "omp")) continue;
      if (!is_parallel(context, *loop)) continue;
      taken = loop->range;
      const std::string pragma =
          "#pragma omp parallel for if (1.0 * " + work_of(context, *loop) + " > " + least + ")";
      Change change{"threads for the loop over " + loop->loop.variable, loop->range, {}};
      change.edits.push_back(after_includes(code, constant));
      change.edits.push_back(line_before(code, loop->range.begin, pragma));
      result.changes.push_back(std::move(change));
    }
  }
  return {result};
}

}  // namespace robust_kbench
