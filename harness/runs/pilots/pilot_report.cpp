#include "runs/pilots/pilot_report.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Adds up what events say of pilots.
class PilotRows {
 public:
  void add(const nlohmann::json& event);
  std::vector<PilotRow> rows;

 private:
  PilotRow& row_of(const nlohmann::json& event);
  void describe(PilotRow& row, const nlohmann::json& event);
  void see(PilotRow& row, double present_s, bool counts);

  std::map<std::string, std::size_t> m_places;  // by name
  std::map<std::string, double> m_seen;         // the last known time of a pilot there
};

PilotRow& PilotRows::row_of(const nlohmann::json& event) {
  const std::string name = event.at("pilot");
  const auto [place, is_new] = m_places.try_emplace(name, rows.size());
  if (is_new) {
    rows.push_back({.pilot = name});
    m_seen[name] = 0;
  }
  return rows[place->second];
}

void PilotRows::describe(PilotRow& row, const nlohmann::json& event) {
  row.host = event.value("host", row.host);
  row.label = event.value("label", row.label);
  row.model = event.value("model", row.model);
  row.rkb = event.value("rkb", row.rkb);
  row.torch = event.value("torch", row.torch);
  row.driver = event.value("driver", row.driver);
  row.slots = event.value("slots", row.slots);
}

// A pilot's time counts from the first event of the run, or of a coordinator that went on with it.
void PilotRows::see(PilotRow& row, double present_s, bool counts) {
  double& seen = m_seen[row.pilot];
  if (counts && present_s > seen) row.present_s += present_s - seen;
  seen = present_s;
}

void PilotRows::add(const nlohmann::json& event) {
  const std::string kind = event.value("event", "");
  static const std::set<std::string> kinds{"pilot_joined", "pilot_present", "pilot_left",
                                           "pilot_lost",   "pilot_refused", "answered",
                                           "not_answered", "late_answer",   "claim_lost"};
  if (!kinds.contains(kind) || !event.contains("pilot")) return;
  const bool is_new = !m_places.contains(event.at("pilot"));
  PilotRow& row = row_of(event);
  describe(row, event);
  if (kind == "pilot_joined") see(row, 0, false);
  if (event.contains("present_s")) see(row, event["present_s"], !is_new);
  if (kind == "answered") {
    ++row.answered;
    row.worked_s += event.value("worked_s", 0.0);
  } else if (kind == "not_answered") {
    ++row.failed;
  } else if (kind == "late_answer") {
    ++row.late;
  } else if (kind == "claim_lost") {
    ++row.lost;
  } else if (kind == "pilot_left" || kind == "pilot_refused") {
    row.end = (kind == "pilot_left" ? "left: " : "refused: ") + event.value("reason", "");
  } else if (kind == "pilot_lost") {
    row.end = fmt::format("lost: not heard of for {:.0f} s", event.value("silent_s", 0.0));
  }
}

}  // namespace

double PilotRow::idle() const {
  if (present_s <= 0) return 0;
  return std::clamp(1 - worked_s / (present_s * slots), 0.0, 1.0);
}

std::vector<PilotRow> pilot_rows(const std::vector<nlohmann::json>& events) {
  PilotRows all;
  for (const nlohmann::json& event : events) all.add(event);
  return std::move(all.rows);
}

nlohmann::json pilots_json(const std::vector<PilotRow>& rows) {
  nlohmann::json json = nlohmann::json::array();
  for (const PilotRow& row : rows) {
    json.push_back({{"pilot", row.pilot},
                    {"host", row.host},
                    {"label", row.label},
                    {"model", row.model},
                    {"rkb", row.rkb},
                    {"torch", row.torch},
                    {"driver", row.driver},
                    {"answered", row.answered},
                    {"failed", row.failed},
                    {"late", row.late},
                    {"lost", row.lost},
                    {"worked_s", row.worked_s},
                    {"present_s", row.present_s},
                    {"idle", row.idle()},
                    {"end", row.end}});
  }
  return json;
}

}  // namespace robust_kbench
