#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The origin of a kernel that was extracted from a Python file (docs/solutions.md).
struct SolutionRecord {
  std::string problem;  // path of the file that its task was imported from
  std::string file;     // path of the solution
  std::string
      glue;  // what its Python does around its calls; empty: it makes one call and nothing else
};

void to_json(nlohmann::json& json, const SolutionRecord& record);
void from_json(const nlohmann::json& json, SolutionRecord& record);

}  // namespace robust_kbench
