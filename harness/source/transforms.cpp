#include "source/transforms.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "source/loop_form.hpp"
#include "source/rules/rules.hpp"

namespace robust_kbench {
namespace {

using Rule = std::vector<RuleResult> (*)(const RuleContext&);

// By what they gained on plain kernels, the greatest first.
const std::vector<Rule>& rules_for(bool cuda) {
  static const std::vector<Rule> cpu{interchange,  simd,         unroll_and_jam,
                                     partial_sums, math_options, parallel_for};
  static const std::vector<Rule> gpu{warp_reduction, shared_padding, unroll, restrict_pointers,
                                     launch_bounds};
  return cuda ? gpu : cpu;
}

bool apart(const Range& a, const Range& b) {
  return a.end <= b.begin || b.end <= a.begin;
}

bool same(const Edit& a, const Edit& b) {
  return a.offset == b.offset && a.length == b.length && a.text == b.text;
}

// The edits of several changes, what they share once.
void add_edits(std::vector<Edit>& to, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    const bool known =
        std::any_of(to.begin(), to.end(), [&](const Edit& e) { return same(e, edit); });
    if (!known) to.push_back(edit);
  }
}

class Collection {
 public:
  explicit Collection(const RuleContext& context) : m_context(context) {}

  void add(RuleResult found) {
    std::stable_partition(found.changes.begin(), found.changes.end(),
                          [this](const Change& change) { return is_remarked(change); });
    add_all(found);
    if (found.only_together) return;
    for (const Change& change : found.changes) {
      m_single.push_back(made(found.rule, change.summary, change.range, change.edits));
    }
  }

  // What edits all places of a rule comes first, since a search that makes few steps needs that.
  std::vector<Transform> transforms() {
    std::vector<Transform> result;
    std::set<std::string> known{std::string(m_context.code.source())};
    for (auto* list : {&m_all, &m_single}) {
      for (Transform& transform : *list) {
        if (known.insert(transform.source).second) result.push_back(std::move(transform));
      }
    }
    return result;
  }

 private:
  void add_all(const RuleResult& found) {
    std::vector<Edit> edits;
    std::vector<Range> ranges;
    for (const Change& change : found.changes) {
      const bool free = std::all_of(ranges.begin(), ranges.end(),
                                    [&](const Range& r) { return apart(r, change.range); });
      if (!free) continue;
      ranges.push_back(change.range);
      add_edits(edits, change.edits);
    }
    if (ranges.empty()) return;
    std::string summary = found.changes.front().summary;
    if (ranges.size() > 1) summary += ", at all of " + std::to_string(ranges.size()) + " places";
    m_all.push_back(made(found.rule, summary, ranges.front(), edits));
  }

  [[nodiscard]] Transform made(const std::string& rule, const std::string& summary, Range range,
                               const std::vector<Edit>& edits) const {
    return {rule, summary, m_context.code.token(range.begin).line,
            edited(m_context.code.source(), edits)};
  }

  [[nodiscard]] bool is_remarked(const Change& change) const {
    const int first = m_context.code.token(change.range.begin).line;
    const int last = m_context.code.token(change.range.end - 1).line;
    return std::any_of(m_context.remarks.begin(), m_context.remarks.end(),
                       [&](const Remark& r) { return first <= r.line && r.line <= last; });
  }

  const RuleContext& m_context;
  std::vector<Transform> m_all;
  std::vector<Transform> m_single;
};

}  // namespace

std::vector<Transform> transforms_of(std::string_view source, bool cuda,
                                     const std::vector<Remark>& remarks) {
  const std::string counted = with_counted_loops(source);
  const Code code(counted);
  const std::vector<Function> functions = parse_functions(code);
  const RuleContext context{code, functions, remarks};
  Collection collection(context);
  for (const Rule rule : rules_for(cuda)) {
    for (RuleResult& found : rule(context)) collection.add(std::move(found));
  }
  return collection.transforms();
}

}  // namespace robust_kbench
