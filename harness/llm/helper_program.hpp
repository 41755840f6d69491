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
  std::string python;             // replaces the venv's Python; empty: none was named

  [[nodiscard]] std::filesystem::path providers() const {
    return sources / "robust_kbench_llm" / "providers.json";
  }
  [[nodiscard]] std::filesystem::path models() const {
    return sources / "robust_kbench_llm" / "models.json";
  }
};

// Makes the virtual environment where it is missing or outdated, and reports an installation on
// stderr. Returns the command that starts the helper. Throws UserError with the remedy where the
// environment cannot be made.
std::vector<std::string> prepare(const HelperProgram& program);

// The environment of the helper, NAME=value: the place of its code, locale, temporary directory,
// proxies, certificates. Below a build tool certificates are left out. A repository's presets could
// set its own certificates there, and read the traffic to an endpoint.
std::vector<std::string> helper_environment(const HelperProgram& program,
                                            const Surroundings& surroundings);

}  // namespace robust_kbench
