#include "source/transforms.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "source/rules/rules.hpp"

namespace robust_kbench {
namespace {

using Rule = RuleResult (*)(const RuleContext&);

// By what they gained on plain kernels, the greatest first.
const std::vector<Rule>& rules_for(bool cuda) {
  static const std::vector<Rule> cpu{interchange, simd_reduction, simd_independent};
  static const std::vector<Rule> gpu{};
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
    for (const Change& change : found.changes) {
      add(found.rule, change.summary, change.range, change.edits);
    }
  }

  std::vector<Transform> transforms;

 private:
  // All changes at once: a search that makes few steps needs them together.
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
    if (ranges.size() < 2) return;
    const std::string summary = found.changes.front().summary + ", and at " +
                                std::to_string(ranges.size() - 1) + " other places";
    add(found.rule, summary, found.changes.front().range, edits);
  }

  void add(const std::string& rule, const std::string& summary, Range range,
           const std::vector<Edit>& edits) {
    std::string source = edited(m_context.code.source(), edits);
    if (!m_known.insert(source).second) return;
    transforms.push_back(
        {rule, summary, m_context.code.token(range.begin).line, std::move(source)});
  }

  [[nodiscard]] bool is_remarked(const Change& change) const {
    const int first = m_context.code.token(change.range.begin).line;
    const int last = m_context.code.token(change.range.end - 1).line;
    return std::any_of(m_context.remarks.begin(), m_context.remarks.end(),
                       [&](const Remark& r) { return first <= r.line && r.line <= last; });
  }

  const RuleContext& m_context;
  std::set<std::string> m_known;
};

}  // namespace

std::vector<Transform> transforms_of(std::string_view source, bool cuda,
                                     const std::vector<Remark>& remarks) {
  const Code code(source);
  const std::vector<Function> functions = parse_functions(code);
  const RuleContext context{code, functions, remarks};
  Collection collection(context);
  for (const Rule rule : rules_for(cuda)) collection.add(rule(context));
  return std::move(collection.transforms);
}

}  // namespace robust_kbench
