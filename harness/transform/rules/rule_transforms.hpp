#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transform/rules/rule.hpp"

namespace robust_kbench {

using Rule = std::vector<RuleResult> (*)(const RuleContext&);

// The transforms that a rule makes of a source.
struct RuleTransforms {
  // A transform for each kind of the rule's changes, with all its places, as far as they are apart.
  // The source of a kind that has no place is empty.
  std::vector<Transform> together;
  std::vector<Transform> single;  // those that a remark names first
};

RuleTransforms apply_rule(Rule rule, std::string_view source, const std::vector<Remark>& remarks);

}  // namespace robust_kbench
