#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The facts of a package that lists show, read without looking at its graphs.
struct PackageFacts {
  std::string name;
  std::string summary;
  std::string kind;
  std::string source;  // name of the imported file
  std::vector<std::string> directions;
  std::size_t points = 0;
  std::vector<std::string> notes;
  nlohmann::json made_with;
  nlohmann::json precision;  // as the import found it (docs/packages.md), or null
};

// Throws UserError if the file is missing or no package.
PackageFacts package_facts(const std::filesystem::path& file);

}  // namespace robust_kbench
