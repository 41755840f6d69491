#include "runs/run_kind.hpp"

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "torch_task/given_task_word.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr const char* translation_member = "translation";  // of its run's settings

// The tasks by which runs of any entry are named.
constexpr EnumNames<RunKind, 3> names_of_any_entry{"kind of run",
                                                   {{{RunKind::verification, "verify"},
                                                     {RunKind::verifier_tuning, "tune_verifier"},
                                                     {RunKind::judgement, "filter"}}}};

constexpr EnumNames<RunKind, 5> kind_words{"kind of run",
                                           {{{RunKind::evolution, "evolution"},
                                             {RunKind::translation, "translation"},
                                             {RunKind::verification, "review of kernels"},
                                             {RunKind::verifier_tuning, "tuning of a verifier"},
                                             {RunKind::judgement, "judgement of tasks"}}}};

}  // namespace

RunKind kind_of(const RunRow& run) {
  for (const auto& [kind, name] : names_of_any_entry.rows) {
    if (run.entry.task == name) return kind;
  }
  return run.settings.contains(translation_member) ? RunKind::translation : RunKind::evolution;
}

RunSubject subject_of_any_entry(RunKind kind, Device device) {
  return {.kind = kind,
          .entry = {.task = std::string(names_of_any_entry.name_of(kind)),
                    .direction = Direction::forward},
          .device = device};
}

std::string begin_run(Archive& archive, const RunSubject& subject,
                      const EvolutionSettings& settings) {
  nlohmann::json kept = to_json(settings);
  if (subject.kind == RunKind::translation) kept = {{translation_member, std::move(kept)}};
  return archive
      .begin_run(subject.entry, subject.device, static_cast<std::uint64_t>(settings.seed), kept)
      .id;
}

EvolutionSettings settings_of_run(const RunRow& run) {
  EvolutionSettings settings;
  const bool is_translation = kind_of(run) == RunKind::translation;
  apply_settings(settings, is_translation ? run.settings.at(translation_member) : run.settings,
                 "the settings of run " + run.id);
  return settings;
}

void require_kind(const RunRow& run, RunKind kind) {
  if (kind_of(run) == kind) return;
  throw UserError(
      fmt::format("run {} is no {}; {}", run.id, kind_words.name_of(kind), how_to_go_on(run)));
}

void require_subject(const RunRow& run, const RunSubject& subject) {
  require_kind(run, subject.kind);
  if (run.entry == subject.entry && run.device == subject.device) return;
  throw UserError(fmt::format("run {} is of {} on {}, not of {} on {}; {}", run.id,
                              run.entry.name(), to_string(run.device), subject.entry.name(),
                              to_string(subject.device), how_to_go_on(run)));
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
