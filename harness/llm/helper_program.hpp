#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "llm/surroundings.hpp"

namespace robust_kbench {

// The places of the helper's code and of its Python.
struct HelperProgram {
  std::filesystem::path sources;  // the directory llm/, which holds the package and install.py
  std::filesystem::path venv;     // a virtual environment of the helper's own; made when missing
  std::string python;             // used in place of the venv's; empty: none was named

  [[nodiscard]] std::filesystem::path providers() const {
    return sources / "robust_kbench_llm" / "providers.json";
  }
  [[nodiscard]] std::filesystem::path models() const {
    return sources / "robust_kbench_llm" / "models.json";
  }
};

// Makes the virtual environment where it is missing or not up to date, and says on stderr what is
// installed. Returns the command that starts the helper. Throws UserError with the remedy where it
// cannot be made.
std::vector<std::string> prepare(const HelperProgram& program);

// The environment of the helper, NAME=value: where its code is, locale, temporary directory,
// proxies, certificates. Below a build tool certificates are left out. A repository's presets could
// name its own there, and read what goes to an endpoint.
std::vector<std::string> helper_environment(const HelperProgram& program,
                                            const Surroundings& surroundings);

}  // namespace robust_kbench
