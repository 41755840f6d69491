#pragma once

#include "torch_task/package.hpp"

namespace robust_kbench {

// Reads integers, reals, booleans and texts of an object. Throws UserError for anything else.
Params read_params(const nlohmann::json& object);
// Reads them over the defaults, each with its default's type.
Params read_params(const nlohmann::json& object, const Params& defaults);

// Reads a point of a package whose defaults and graphs are read. Throws UserError if it does not
// fit them.
PackagePoint read_point(const nlohmann::json& json, const Package& package);

}  // namespace robust_kbench
