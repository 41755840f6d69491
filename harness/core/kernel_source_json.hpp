#pragma once

#include "core/manifest.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A kernel of a manifest, whole. CMake writes no `named_in` and no `solution`, which may be
// missing.
void to_json(nlohmann::json& json, const KernelSource& kernel);
// Throws UserError for an unknown name, and nlohmann's exceptions for what is missing.
void from_json(const nlohmann::json& json, KernelSource& kernel);

}  // namespace robust_kbench
