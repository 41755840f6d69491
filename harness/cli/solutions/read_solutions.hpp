#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/import/importer_program.hpp"
#include "core/manifest.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {

// A problem of KernelBench and solutions of it, as a person names them.
struct SolutionRequest {
  std::string problem;                 // a Python file
  std::vector<std::string> solutions;  // Python files, and directories of them
  std::string device;                  // empty: by the solutions
  double seconds = 300;                // that the problem and each solution may take
};

// A solution that is no kernel of the task.
struct RefusedSolution {
  std::string path;
  std::string reason;
  std::string remedy;
};

// The kernels that were made of the solutions.
struct ReadSolutions {
  std::string package;  // of the problem, a task's name
  std::vector<KernelSource> kernels;
  std::vector<RefusedSolution> refused;
};

// Imports the problem, and runs each solution once where its build is left out, in the importer's
// sandbox (docs/solutions.md). Throws UserError where the problem cannot be imported, Cancelled
// where `stop` is requested.
ReadSolutions read_solutions(const ImporterProgram& importer, const Suite& suite,
                             const SolutionRequest& request, const std::stop_token& stop);

// Returns a line for each, with what helps.
std::string refusals_text(const std::vector<RefusedSolution>& refused);

}  // namespace robust_kbench
