#include "runs/pilots/heard_pilots.hpp"

#include <string>

#include "core/error.hpp"
#include "runs/pilots/pilot_note.hpp"
#include "runs/pilots/pilot_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
HeardPilots::HeardPilots(Run& run, PilotFleet& fleet) : m_run(run), m_fleet(fleet) {
  m_fleet.listen([this](const nlohmann::json& event) { hear(event); });
}

// Who has claimed what follows from the answers, so the archive need not keep it.
void HeardPilots::hear(const nlohmann::json& event) {
  if (event.at("event") == "claimed") {
    m_run.listener().progress(fmt::format("{} of {} on {}", event.value("kind", ""),
                                          event.value("id", 0), event.value("pilot", "")));
    return;
  }
  try {
    m_run.context().archive.event(m_run.id(), event);
  } catch (const UserError& full) {
    m_run.listener().note(full.what());  // the run itself meets the same where it must end
  }
  const std::string note = note_of_pilots(event, "candidate");
  if (!note.empty()) m_run.listener().note(note);
}

RunRow with_pilots(Run& run, RunRow row) {
  const RunContext& context = run.context();
  row.summary["pilots"] = pilots_json(pilot_rows(context.archive.events(run.id())));
  context.archive.update_run(row);
  return run.row();
}

}  // namespace robust_kbench
