#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>

#include "evolve/evaluation_backend.hpp"
#include "evolve/evaluation_ends.hpp"
#include "runs/pilots/coordinator.hpp"
#include "runs/pilots/evaluation_session.hpp"

namespace robust_kbench {

struct PilotBackendOptions {
  std::stop_token stop = {};
  std::stop_token search = {};       // of what decides a candidate, beside `stop`
  std::stop_token first_races = {};  // of these and what comes before them, beside both
  // Returns the model of the devices that have evaluated for the run from its beginning. For a new
  // run that is `now`, which it keeps.
  std::function<std::string(const std::string& now)> model_of_run;
};

// Hands candidates to pilots. All evaluations of a run are on devices of one model. The jobs of a
// candidate go to the pilot that has compiled it, while that lives. A race is one job, so parent
// and child race on one pilot.
class PilotBackend : public EvaluationBackend {
 public:
  // Waits for a pilot. Throws Cancelled where `stop` is requested before one joins. `coordinator`
  // outlives this object.
  PilotBackend(Coordinator& coordinator, EvaluationSession session, PilotBackendOptions options);
  ~PilotBackend() override;
  PilotBackend(const PilotBackend&) = delete;
  PilotBackend& operator=(const PilotBackend&) = delete;

  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override;

  [[nodiscard]] const std::string& model() const { return m_model; }

 private:
  void describe(const std::function<void(EvaluationSession&)>& change);

  Coordinator& m_coordinator;
  const PilotBackendOptions m_options;
  const std::string m_name;  // of the session
  std::string m_model;
  std::mutex m_mutex;
  EvaluationSession m_session;
  std::map<std::string, std::string> m_homes;  // pilots by hashes of candidates
  EvaluationEnds m_ends;
  const std::stop_callback<std::function<void()>> m_stopping;
  const std::stop_callback<std::function<void()>> m_ending_search;
  const std::stop_callback<std::function<void()>> m_ending_first_races;
};

}  // namespace robust_kbench
