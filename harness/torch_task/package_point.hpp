#pragma once

#include "torch_task/package.hpp"

namespace robust_kbench {

// Integers, reals, booleans and texts of an object. Throws UserError for anything else.
Params read_params(const nlohmann::json& object);
// The same over the defaults, each with its default's type.
Params read_params(const nlohmann::json& object, const Params& defaults);

// A point of a package whose defaults and graphs are read. Throws UserError where it does not fit
// to them.
PackagePoint read_point(const nlohmann::json& json, const Package& package);

}  // namespace robust_kbench
