#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "llm/helper_program.hpp"
#include "process/command.hpp"

namespace robust_kbench {

// The helper from the sources, without a Python to run it with.
inline const HelperProgram helper_of_sources{.sources = RKB_LLM, .venv = {}, .python = {}};

inline CommandResult rkb(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), RKB_PROGRAM);
  return run_command(arguments, std::chrono::minutes{2});
}

inline std::filesystem::path manifest_of_build() {
  if (const char* given = std::getenv("ROBUST_KBENCH_MANIFEST")) return given;
  return std::filesystem::path(RKB_PROGRAM).parent_path().parent_path() /
         "share/robust_kbench/manifest.json";
}

}  // namespace robust_kbench
