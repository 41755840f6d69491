#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_finding.hpp"
#include "source/techniques.hpp"

namespace robust_kbench {

// The findings about one kernel, by name, and the techniques that its source uses already. The
// findings must outlive it.
class KernelFacts {
 public:
  KernelFacts(std::string kernel, const std::vector<ToolFinding>& findings,
              std::set<Technique> techniques);

  [[nodiscard]] const std::string& kernel() const { return m_kernel; }
  [[nodiscard]] bool does(Technique technique) const { return m_techniques.contains(technique); }
  // Null if no such finding has a value.
  [[nodiscard]] const ToolFinding* find(std::string_view tool, std::string_view what) const;
  // The value of a finding of ncu's, or 0 if there is none.
  [[nodiscard]] double value(std::string_view what) const;
  [[nodiscard]] bool has(std::string_view what) const { return find("ncu", what) != nullptr; }
  // The findings of ncu's with these names, in this order, as far as they exist.
  [[nodiscard]] std::vector<ToolFinding> these(const std::vector<std::string_view>& whats) const;
  // The findings of ncu's whose names begin with `prefix`, greatest value first.
  [[nodiscard]] std::vector<const ToolFinding*> beginning(std::string_view prefix) const;

 private:
  std::string m_kernel;
  std::vector<const ToolFinding*> m_findings;
  std::set<Technique> m_techniques;
};

// The facts of each kernel that the findings name, in their order. The techniques are those of its
// source.
std::vector<KernelFacts> facts_by_kernel(const std::vector<ToolFinding>& findings,
                                         const std::set<Technique>& techniques);

}  // namespace robust_kbench
