#pragma once

#include <string>

#include "archive/archive.hpp"
#include "evolve/settings.hpp"

// The kinds of runs that an archive holds, and how it tells them apart.
namespace robust_kbench {

enum class RunKind { evolution, translation, verification, verifier_tuning, judgement };

RunKind kind_of(const RunRow& run);

// The kind of a run, with the entry and device that it is about.
struct RunSubject {
  RunKind kind = RunKind::evolution;
  Entry entry;
  Device device = Device::cpu;
};

// Returns the subject of a run about kernels or tasks of any entry. Its entry is named after the
// kind.
RunSubject subject_of_any_entry(RunKind kind, Device device);

// Begins a run of the archive, takes its lock, and returns its id.
std::string begin_run(Archive& archive, const RunSubject& subject,
                      const EvolutionSettings& settings);

// Returns the settings that a run was begun with.
EvolutionSettings settings_of_run(const RunRow& run);

// Throws UserError where the run is of another kind.
void require_kind(const RunRow& run, RunKind kind);
// Throws UserError where the run is about something else.
void require_subject(const RunRow& run, const RunSubject& subject);

// Returns the command that goes on with a run, for messages: "go on with it by: rkb translate ...".
// `task` is how a person has named the run's task, or empty for its name.
std::string how_to_go_on(const RunRow& run, const std::string& task = "");

}  // namespace robust_kbench
