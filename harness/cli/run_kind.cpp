#include "cli/run_kind.hpp"

#include "cli/given_task_word.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

RunKind kind_of(const RunRow& run) {
  if (run.entry.task == "verify") return RunKind::verification;
  if (run.entry.task == "tune_verifier") return RunKind::verifier_tuning;
  if (run.entry.task == "filter") return RunKind::judgement;
  return run.settings.contains("translation") ? RunKind::translation : RunKind::evolution;
}

void take_from(const RunRow& run, const char* option, const std::string& value,
               std::string& given) {
  if (given.empty()) given = value;
  if (given == value) return;
  throw UserError(fmt::format("run {} is of {} on {}, not of {} {}; leave the option out, or {}",
                              run.id, run.entry.name(), to_string(run.device), option, given,
                              how_to_go_on(run)));
}

std::string how_to_go_on(const RunRow& run, const std::string& task) {
  const std::string begin = "go on with it by: " + own_command() + " ";
  const std::string entry =
      fmt::format(" --task {} --direction {} --device {} --resume {}",
                  given_task_word(task.empty() ? run.entry.task : task),
                  to_string(run.entry.direction), to_string(run.device), run.id);
  switch (kind_of(run)) {
    case RunKind::translation:
      return begin + "translate" + entry + " FILE";
    case RunKind::verification:
      return begin + "verify --resume " + run.id + ", with what it was given";
    case RunKind::verifier_tuning:
      return begin + "tune-verifier --resume " + run.id + ", with what it was given";
    case RunKind::judgement:
      return begin + "filter --resume " + run.id + ", with what it was given";
    case RunKind::evolution:
      break;
  }
  return begin + "evolve" + entry;
}

}  // namespace robust_kbench
