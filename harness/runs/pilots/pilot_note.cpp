#include "runs/pilots/pilot_note.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

std::string note_of_pilots(const nlohmann::json& event, const std::string& what) {
  const std::string kind = event.at("event");
  const std::string pilot = event.value("pilot", "");
  const std::string reason = event.value("reason", "");
  if (kind == "pilot_joined") {
    return fmt::format("pilot {} has joined, on {}", pilot, event.value("model", ""));
  }
  if (kind == "pilot_left") return fmt::format("pilot {} has left: {}", pilot, reason);
  if (kind == "pilot_refused") return fmt::format("pilot {} is refused: {}", pilot, reason);
  if (kind == "pilot_lost") {
    return fmt::format("pilot {} was not heard of for {:.0f} s, and is given up", pilot,
                       event.value("silent_s", 0.0));
  }
  if (kind == "claim_lost") {
    return fmt::format("{} {} goes to another pilot: {} has ended", what, event.value("id", 0),
                       pilot);
  }
  if (kind == "not_answered") {
    return fmt::format("{} {} goes to another pilot: {} says {}", what, event.value("id", 0), pilot,
                       reason);
  }
  if (kind == "folder_trouble") return "waits for the run directory: " + reason;
  if (kind == "folder_back") {
    return fmt::format("the run directory is back after {:.0f} s", event.value("seconds", 0.0));
  }
  return "";
}

}  // namespace robust_kbench
