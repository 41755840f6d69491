#include "transform/transforms.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "transform/expanded_macros.hpp"
#include "transform/inlined_elements.hpp"
#include "transform/loop_form.hpp"
#include "transform/rules/rule_transforms.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

// Rules come in the order of their gains on plain kernels, and the greatest comes first.
const std::vector<Rule>& rules_for(bool cuda) {
  static const std::vector<Rule> cpu{interchange, math_options,   simd,        raw_pointers,
                                     unit_step,   unroll_and_jam, parallel_for};
  static const std::vector<Rule> gpu{warp_reduction, shared_padding, unroll, restrict_pointers,
                                     launch_bounds};
  return cuda ? gpu : cpu;
}

struct Step {
  Rule rule;
  std::size_t kind = 0;  // which of the rule's edits of all places
};

// Rules that gain more together, since each leaves loops that the next one is for. The simplest
// come first, as a search may go on from there.
const std::vector<std::vector<Step>>& chains_for(bool cuda) {
  static const std::vector<std::vector<Step>> cpu{
      {{raw_pointers}, {unit_step}, {interchange}, {simd}},
      {{raw_pointers}, {unit_step}, {interchange}, {simd}, {unroll_and_jam, 1}},
      {{raw_pointers}, {unit_step}, {interchange}, {simd}, {unroll_and_jam, 0}},
  };
  static const std::vector<std::vector<Step>> gpu{
      {{warp_reduction}, {unroll}, {restrict_pointers}},
  };
  return cuda ? gpu : cpu;
}

// The edits of a chain of rules; nothing where none of them finds a place.
std::optional<Transform> chain(const std::vector<Step>& steps, std::string_view source,
                               const std::vector<Remark>& remarks) {
  std::optional<Transform> result;
  for (const Step& step : steps) {
    RuleTransforms found = apply_rule(step.rule, result ? result->source : source,
                                      result ? std::vector<Remark>() : remarks);
    if (step.kind >= found.together.size()) continue;
    Transform& next = found.together[step.kind];
    if (next.source.empty()) continue;
    if (result) {
      next.rule = result->rule + "+" + next.rule;
      next.summary = result->summary + "; " + next.summary;
      next.line = result->line;
    }
    result = std::move(next);
  }
  return result;
}

}  // namespace

std::vector<Transform> transforms_of(std::string_view source, bool cuda,
                                     const std::vector<Remark>& remarks) {
  const std::string counted =
      with_inlined_elements(with_counted_loops(with_expanded_macros(source)));
  std::vector<Transform> all;
  for (const std::vector<Step>& steps : chains_for(cuda)) {
    if (auto found = chain(steps, counted, remarks)) all.push_back(std::move(*found));
  }
  std::vector<Transform> single;
  for (const Rule rule : rules_for(cuda)) {
    RuleTransforms found = apply_rule(rule, counted, remarks);
    std::move(found.together.begin(), found.together.end(), std::back_inserter(all));
    std::move(found.single.begin(), found.single.end(), std::back_inserter(single));
  }
  std::move(single.begin(), single.end(), std::back_inserter(all));
  std::set<std::string> known{counted, {}};
  std::erase_if(all, [&](const Transform& t) { return !known.insert(t.source).second; });
  return all;
}

}  // namespace robust_kbench
