#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "tune/tunables.hpp"

namespace robust_kbench {

// The tuning parameters and conditions of a file in T1, the autotuners' common format of problems
// (`ConfigurationSpace` of https://github.com/odgaard/TuningSchema). Values are a list, or the text
// of one: numbers, strings, true and false. `//` in a condition is the division of integers.
// Throws UserError, which begins with `name`, for text that is not T1 or says more than that.
TunableDeclarations parse_tuning_file(std::string_view text, const std::string& name);

// The declarations of the file beside a kernel's source that has its name and ends in .json;
// nothing where there is none.
std::optional<TunableDeclarations> tuning_file_beside(const std::filesystem::path& source);

}  // namespace robust_kbench
