#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

enum class Severity { info, warning, error };

std::string_view to_string(Severity severity);

// The place of a finding, as far as the tool tells. Unknown fields are empty.
struct Place {
  std::string kernel;  // the __global__ function, demangled; empty for host code
  std::string file;
  int line = 0;         // 0: unknown
  std::string address;  // hexadecimal, of the memory that was accessed
  std::string thread;   // "(232,0,0)" in its block
  std::string block;    // "(3,0,0)" in its grid

  bool operator==(const Place&) const = default;
};

// One finding of a tool on a kernel. All text is escaped, since the kernel chooses the names in it.
struct ToolFinding {
  std::string tool;             // "ncu", "memcheck", "ptxas", "clang-tidy"...
  std::string what;             // stable identifier in snake_case, or clang-tidy's name of a check
  std::optional<double> value;  // none: there is nothing to measure
  std::string unit;
  Severity severity = Severity::info;
  std::string meaning;  // one sentence
  Place where;

  bool operator==(const ToolFinding&) const = default;
};

void to_json(nlohmann::json& json, const ToolFinding& finding);
void from_json(const nlohmann::json& json, ToolFinding& finding);

}  // namespace robust_kbench
