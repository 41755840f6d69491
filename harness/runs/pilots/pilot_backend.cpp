#include "runs/pilots/pilot_backend.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "evolve/candidate_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

std::string new_session(const Coordinator& coordinator) {
  static std::atomic<int> sessions = 0;
  return fmt::format("{}-{}.json", coordinator.id(), ++sessions);
}

// The model that most pilots have, the first by name of several.
std::string commonest_model(const std::vector<WatchedPilot>& pilots) {
  std::map<std::string, int> counts;
  for (const WatchedPilot& pilot : pilots) ++counts[pilot.facts.model];
  const auto most =
      std::ranges::max_element(counts, {}, &std::pair<const std::string, int>::second);
  return most == counts.end() ? "" : most->first;
}

}  // namespace

PilotBackend::PilotBackend(Coordinator& coordinator, EvaluationSession session,
                           PilotBackendOptions options)
    : m_coordinator(coordinator),
      m_options(std::move(options)),
      m_name(new_session(coordinator)),
      m_session(std::move(session)),
      m_ends(m_options.stop, m_options.search, m_options.first_races),
      m_stopping(m_options.stop,
                 [this] { describe([](EvaluationSession& now) { now.ended = true; }); }),
      m_ending_search(
          m_options.search,
          [this] { describe([](EvaluationSession& now) { now.search_ended = true; }); }),
      m_ending_first_races(m_options.first_races, [this] {
        describe([](EvaluationSession& now) { now.first_races_ended = true; });
      }) {
  describe([](EvaluationSession&) {});
  m_coordinator.await_pilot(m_options.stop);
  m_model = m_options.model_of_run(commonest_model(m_coordinator.pilots()));
}

PilotBackend::~PilotBackend() {
  describe([](EvaluationSession& now) { now.ended = true; });
  m_ends.end_candidates();
}

// What is over ends here at once, and at the pilots as soon as they have read it.
void PilotBackend::describe(const std::function<void(EvaluationSession&)>& change) {
  const std::lock_guard lock(m_mutex);
  change(m_session);
  m_coordinator.describe_session(m_name, m_session);
}

Evaluation PilotBackend::evaluate(EvaluationKind kind, const Candidate& candidate,
                                  const std::map<std::string, const Candidate*>& rivals) {
  PostedJob job{
      .job = {{"session", m_name}, {"evaluation", evaluation_request(kind, candidate, rivals)}},
      .label = {{"id", candidate.id}, {"kind", to_string(kind)}},
      .model = m_model};
  {
    const std::lock_guard lock(m_mutex);
    if (const auto home = m_homes.find(candidate.hash); home != m_homes.end()) {
      job.pilot = home->second;
    }
  }
  const JobAnswer answer = m_coordinator.await(m_coordinator.post(std::move(job)), m_ends.of(kind));
  const std::lock_guard lock(m_mutex);
  m_homes[candidate.hash] = answer.pilot.name;
  return answer.answer.get<Evaluation>();
}

}  // namespace robust_kbench
