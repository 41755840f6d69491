#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// A task's definition as people and models read it.
struct ReferenceSource {
  std::string text;
  std::string language;  // "python" or "cpp"
};

// The task's reference.py, else its task.cpp. Throws UserError where its directory has neither.
ReferenceSource reference_source(const Manifest& manifest, const Task& task);

// The names of the parameters of `def function(...)`. Empty where Python source has no such
// function at the beginning of a line.
std::vector<std::string> python_parameters(std::string_view source, std::string_view function);

}  // namespace robust_kbench
