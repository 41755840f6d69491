#include "transform/rules/rule_transforms.hpp"

#include <algorithm>
#include <utility>

namespace robust_kbench {
namespace {

bool apart(const Range& a, const Range& b) {
  return a.end <= b.begin || b.end <= a.begin;
}

bool same(const Edit& a, const Edit& b) {
  return a.offset == b.offset && a.length == b.length && a.text == b.text;
}

// Adds the edits of several changes, and those that they share once.
void add_edits(std::vector<Edit>& to, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    const bool known =
        std::any_of(to.begin(), to.end(), [&](const Edit& e) { return same(e, edit); });
    if (!known) to.push_back(edit);
  }
}

bool is_remarked(const RuleContext& context, const Change& change) {
  const int first = context.code.token(change.range.begin).line;
  const int last = context.code.token(change.range.end - 1).line;
  return std::any_of(context.remarks.begin(), context.remarks.end(),
                     [&](const Remark& r) { return first <= r.line && r.line <= last; });
}

Transform made(const RuleContext& context, const std::string& rule, const std::string& summary,
               Range range, const std::vector<Edit>& edits) {
  return {rule, summary, context.code.token(range.begin).line,
          edited(context.code.source(), edits)};
}

Transform made_together(const RuleContext& context, const RuleResult& found) {
  std::vector<Edit> edits;
  std::vector<Range> ranges;
  for (const Change& change : found.changes) {
    const bool free = std::all_of(ranges.begin(), ranges.end(),
                                  [&](const Range& r) { return apart(r, change.range); });
    if (!free) continue;
    ranges.push_back(change.range);
    add_edits(edits, change.edits);
  }
  if (ranges.empty()) return {};
  std::string summary = found.changes.front().summary;
  if (ranges.size() > 1) summary += ", at all of " + std::to_string(ranges.size()) + " places";
  return made(context, found.rule, summary, ranges.front(), edits);
}

}  // namespace

RuleTransforms apply_rule(Rule rule, std::string_view source, const std::vector<Remark>& remarks) {
  const Code code(source);
  const std::vector<Function> functions = parse_functions(code);
  const RuleContext context{code, functions, remarks};
  RuleTransforms result;
  for (RuleResult& found : rule(context)) {
    std::stable_partition(found.changes.begin(), found.changes.end(),
                          [&](const Change& change) { return is_remarked(context, change); });
    result.together.push_back(made_together(context, found));
    if (found.only_together) continue;
    for (const Change& change : found.changes) {
      result.single.push_back(
          made(context, found.rule, change.summary, change.range, change.edits));
    }
  }
  return result;
}

}  // namespace robust_kbench
