#include "agent/reported_evolution.hpp"

#include <utility>

#include "core/error.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

ReportedEvolution::ReportedEvolution(RunListener& listener, Renew renew)
    : m_listener(listener), m_renew(std::move(renew)) {}

void ReportedEvolution::begins(const std::string& run) {
  m_run = run;
  m_listener.begins(run);
}

void ReportedEvolution::show(const nlohmann::json& event) {
  m_listener.show(event);
  if (event.at("event") != "proposal") return;
  const int generation = event.at("generation");
  if (generation <= m_generation) return;
  m_generation = generation;
  try {
    m_renew(m_run);
  } catch (const UserError& error) {
    m_listener.note(std::string("the page of the run is not renewed: ") + error.what());
  }
}

}  // namespace robust_kbench
