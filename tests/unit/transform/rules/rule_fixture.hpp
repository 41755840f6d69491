#pragma once

#include <string>
#include <vector>

#include "transform/transforms.hpp"

namespace robust_kbench {

// The edits that one rule offers for a source of a CPU.
inline std::vector<Transform> offered(const std::string& rule, const std::string& source,
                                      const std::vector<Remark>& remarks = {}) {
  std::vector<Transform> result = transforms_of(source, false, remarks);
  std::erase_if(result, [&](const Transform& transform) { return transform.rule != rule; });
  return result;
}

// The edits that one rule offers for a source of a GPU.
inline std::vector<Transform> offered_for_cuda(const std::string& rule, const std::string& source,
                                               const std::vector<Remark>& remarks = {}) {
  std::vector<Transform> result = transforms_of(source, true, remarks);
  std::erase_if(result, [&](const Transform& transform) { return transform.rule != rule; });
  return result;
}

// The source after the first edit that a rule offers, or an empty text.
inline std::string first_edit(const std::string& rule, const std::string& source) {
  const std::vector<Transform> found = offered(rule, source);
  return found.empty() ? std::string() : found.front().source;
}

}  // namespace robust_kbench
