#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// What lists tell of a package, read without looking at its graphs.
struct PackageFacts {
  std::string name;
  std::string summary;
  std::string kind;
  std::string source;  // name of the imported file
  std::vector<std::string> directions;
  std::size_t points = 0;
  std::vector<std::string> notes;
  nlohmann::json made_with;
  nlohmann::json precision;  // what the import said of it (docs/packages.md); null: nothing
};

// Throws UserError where the file is missing or no package.
PackageFacts package_facts(const std::filesystem::path& file);

}  // namespace robust_kbench
