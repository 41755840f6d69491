#include "runs/pilots/heard_pilots.hpp"

#include <string>

#include "core/error.hpp"
#include "runs/pilots/pilot_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// What a person should know of at once; empty: nothing.
std::string note_of(const nlohmann::json& event) {
  const std::string kind = event.at("event");
  const std::string pilot = event.value("pilot", "");
  if (kind == "pilot_joined") {
    return fmt::format("pilot {} has joined, on {}", pilot, event.value("model", ""));
  }
  if (kind == "pilot_left" || kind == "pilot_refused") {
    return fmt::format("pilot {} {}: {}", pilot, kind == "pilot_left" ? "has left" : "is refused",
                       event.value("reason", ""));
  }
  if (kind == "pilot_lost") {
    return fmt::format("pilot {} was not heard of for {:.0f} s, and is given up", pilot,
                       event.value("silent_s", 0.0));
  }
  if (kind == "claim_lost") {
    return fmt::format("candidate {} goes to another pilot: {} has ended", event.value("id", 0),
                       pilot);
  }
  if (kind == "not_answered") {
    return fmt::format("candidate {} goes to another pilot: {} says {}", event.value("id", 0),
                       pilot, event.value("reason", ""));
  }
  if (kind == "folder_trouble") return "waits for the run directory: " + event.value("reason", "");
  if (kind == "folder_back") {
    return fmt::format("the run directory is back after {:.0f} s", event.value("seconds", 0.0));
  }
  return "";
}

}  // namespace

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
  const std::string note = note_of(event);
  if (!note.empty()) m_run.listener().note(note);
}

RunRow with_pilots(Run& run, RunRow row) {
  const RunContext& context = run.context();
  row.summary["pilots"] = pilots_json(pilot_rows(context.archive.events(run.id())));
  context.archive.update_run(row);
  return run.row();
}

}  // namespace robust_kbench
