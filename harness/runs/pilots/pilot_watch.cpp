#include "runs/pilots/pilot_watch.hpp"

#include <algorithm>
#include <utility>

#include "core/parse_json.hpp"
#include "runs/pilots/run_directory.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

using run_directory::end_of_pilot;
using run_directory::loss_of_pilot;
using run_directory::words_of_pilot;

std::optional<PilotFacts> facts_in(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  try {
    return parse_json_if_any(*text).get<PilotFacts>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<nlohmann::json> PilotWatch::join(const LeaseName& lease, double now) {
  const auto facts = facts_in(
      m_folder.read(run_directory::in(run_directory::pilots, lease.holder + words_of_pilot)));
  if (!facts || facts->name != lease.holder) return std::nullopt;
  m_living[lease.holder] = {.facts = *facts, .lease = lease, .joined_at = now, .renewed_at = now};
  nlohmann::json event = *facts;
  event["event"] = "pilot_joined";
  event["pilot"] = facts->name;
  event.erase("name");
  return event;
}

// Without a lease the pilot has left. One that has a lease which is over loses it here, unless it
// has renewed it in this very moment.
std::optional<nlohmann::json> PilotWatch::end(const WatchedPilot& pilot, bool has_left,
                                              double now) const {
  const std::string& name = pilot.facts.name;
  nlohmann::json event{{"pilot", name}, {"present_s", now - pilot.joined_at}};
  if (has_left) {
    event["event"] = "pilot_left";
    event["reason"] = m_folder.read(run_directory::in(run_directory::pilots, name + end_of_pilot))
                          .value_or("its lease is gone");
    return event;
  }
  if (!m_folder.move(run_directory::in(run_directory::leases, to_string(pilot.lease)),
                     run_directory::in(run_directory::pilots, name + loss_of_pilot))) {
    return std::nullopt;
  }
  event["event"] = "pilot_lost";
  event["silent_s"] = now - pilot.renewed_at;
  return event;
}

std::vector<nlohmann::json> PilotWatch::look(double now) {
  std::vector<nlohmann::json> events;
  std::set<std::string> with_lease;
  for (const std::string& file : m_folder.list(run_directory::leases)) {
    const std::optional<LeaseName> lease = parse_lease_name(file);
    if (!lease) continue;
    with_lease.insert(lease->holder);
    const auto known = m_living.find(lease->holder);
    if (known == m_living.end()) {
      if (auto event = join(*lease, now)) events.push_back(*std::move(event));
    } else if (lease->renewals != known->second.lease.renewals) {
      known->second.lease = *lease;
      known->second.renewed_at = now;
    }
  }
  for (auto each = m_living.begin(); each != m_living.end();) {
    const WatchedPilot& pilot = each->second;
    const bool has_left = !with_lease.contains(each->first);
    const bool is_over = has_left || now - pilot.renewed_at > m_lease_seconds;
    std::optional<nlohmann::json> event = is_over ? end(pilot, has_left, now) : std::nullopt;
    if (event) events.push_back(*std::move(event));
    each = event ? m_living.erase(each) : std::next(each);
  }
  return events;
}

std::vector<nlohmann::json> PilotWatch::refused() {
  std::vector<nlohmann::json> events;
  for (const std::string& file : m_folder.list(run_directory::pilots)) {
    if (!file.ends_with(words_of_pilot) || !m_refused.insert(file).second) continue;
    const auto facts = facts_in(m_folder.read(run_directory::in(run_directory::pilots, file)));
    if (!facts || facts->refused.empty()) continue;
    events.push_back({{"event", "pilot_refused"},
                      {"pilot", facts->name},
                      {"host", facts->host},
                      {"label", facts->label},
                      {"model", facts->model},
                      {"reason", facts->refused}});
  }
  return events;
}

void PilotWatch::forget_ended() {
  for (const std::string& file : m_folder.list(run_directory::pilots)) {
    if (!file.ends_with(end_of_pilot) && !file.ends_with(loss_of_pilot)) continue;
    m_folder.remove(
        run_directory::in(run_directory::pilots, file.substr(0, file.find('.')) + words_of_pilot));
    m_folder.remove(run_directory::in(run_directory::pilots, file));
  }
}

void PilotWatch::excuse(double now) {
  for (auto& [name, pilot] : m_living) pilot.renewed_at = now;
}

}  // namespace robust_kbench
