#include "profile/kernel_facts.hpp"

#include <algorithm>
#include <utility>

namespace robust_kbench {

KernelFacts::KernelFacts(std::string kernel, const std::vector<ToolFinding>& findings,
                         std::set<Technique> techniques)
    : m_kernel(std::move(kernel)), m_techniques(std::move(techniques)) {
  for (const ToolFinding& finding : findings) {
    if (finding.where.kernel == m_kernel) m_findings.push_back(&finding);
  }
}

const ToolFinding* KernelFacts::find(std::string_view tool, std::string_view what) const {
  const auto found = std::find_if(m_findings.begin(), m_findings.end(), [&](const ToolFinding* f) {
    return f->tool == tool && f->what == what && f->value.has_value();
  });
  return found == m_findings.end() ? nullptr : *found;
}

double KernelFacts::value(std::string_view what) const {
  const ToolFinding* finding = find("ncu", what);
  return finding == nullptr ? 0 : *finding->value;
}

std::vector<ToolFinding> KernelFacts::these(const std::vector<std::string_view>& whats) const {
  std::vector<ToolFinding> found;
  for (const std::string_view what : whats) {
    if (const ToolFinding* finding = find("ncu", what)) found.push_back(*finding);
  }
  return found;
}

std::vector<const ToolFinding*> KernelFacts::beginning(std::string_view prefix) const {
  std::vector<const ToolFinding*> found;
  for (const ToolFinding* finding : m_findings) {
    if (finding->tool == "ncu" && finding->value && finding->what.starts_with(prefix)) {
      found.push_back(finding);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const ToolFinding* a, const ToolFinding* b) {
    return *a->value > *b->value;
  });
  return found;
}

std::vector<KernelFacts> facts_by_kernel(const std::vector<ToolFinding>& findings,
                                         const std::set<Technique>& techniques) {
  std::vector<KernelFacts> facts;
  for (const ToolFinding& finding : findings) {
    const std::string& kernel = finding.where.kernel;
    const bool known = std::any_of(facts.begin(), facts.end(),
                                   [&](const KernelFacts& f) { return f.kernel() == kernel; });
    if (!kernel.empty() && !known) facts.emplace_back(kernel, findings, techniques);
  }
  return facts;
}

}  // namespace robust_kbench
