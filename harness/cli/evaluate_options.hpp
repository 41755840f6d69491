#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/opponents.hpp"
#include "cli/report_options.hpp"
#include "cli/solutions/read_solutions.hpp"
#include "cli/source_options.hpp"
#include "command/command_line.hpp"
#include "command/fleet_options.hpp"
#include "command/scope_options.hpp"
#include "evaluate/evaluator.hpp"

namespace robust_kbench {

// The options of `rkb evaluate`.
struct EvaluateCommandOptions {
  std::string task;
  std::string direction = "forward";
  std::string device;
  CaseOptions cases;
  bool no_bench = false;
  bool no_cache = false;
  bool no_sanitize = false;
  bool show_output = false;
  // With these limits a kernel of 3 s a call has its verdict within a minute.
  double slow_seconds = SlowCallLimit().seconds;
  double call_timeout_seconds = std::chrono::duration<double>(Limits().call_timeout).count();
  SourceOptions source;
  std::vector<std::string> allow{"all"};
  std::vector<std::string> refuse;
  int jobs = 0;
  std::vector<int> gpus;
  OpponentOptions opponents;
  std::vector<std::string> estimators;
  std::string judge;  // "replay", "in_process" or empty
  bool require_replay = false;
  std::vector<std::string> kernels;
  SolutionRequest solutions;
  ReportOptions report;
  bool resumes = false;
  FleetOptions fleet;

  // Returns whether kernels are timed. A single case names no config that could be.
  [[nodiscard]] bool times() const { return !no_bench && cases.case_name.empty(); }
  // Returns what no kernel's code may ask for. Throws UserError for an unknown name.
  [[nodiscard]] Capabilities refused() const;
  // Returns what is asked of CUDA kernels. Throws UserError where options contradict each other.
  [[nodiscard]] Replay replay() const;
  // Returns whether each finished record is kept beside the file of records.
  [[nodiscard]] bool keeps_records() const {
    return !report.json.empty() && report.json != "-" && !of_problem();
  }
  // Returns whether the command evaluates solutions of a problem, in place of kernels of a task.
  [[nodiscard]] bool of_problem() const { return !solutions.problem.empty(); }
};

// Declares them. `options` outlives the parsing.
void add_evaluate_options(CommandLine& command, EvaluateCommandOptions& options);

// Throws UserError where options for kernels and for solutions are mixed, or neither set is whole.
void check_what_is_evaluated(const EvaluateCommandOptions& options);

}  // namespace robust_kbench
