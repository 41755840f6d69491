#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "llm/manual_transport.hpp"
#include "llm/model_client.hpp"
#include "prompt/model_session.hpp"
#include "runs/model_use.hpp"

namespace robust_kbench {

// Returns the runs whose calls count as this run's: the run itself, and the one in which its
// reference was translated.
std::vector<std::string> asking_runs(const Archive& archive, const std::string& run);

// Returns the calls of all asking_runs().
std::vector<CallRow> calls_of(const Archive& archive, const std::string& run);

// The language models of one run of a command: its transport, client and session.
class ModelRun {
 public:
  // The journal is the run's. If it replays, nothing is asked. Once `stops` is true nothing more is
  // asked, and nobody waits for a person. The references outlive this object.
  //
  // The ledger covers all asking_runs(). The journal has under `replaced_models` which models
  // stand for retired ones. Models are told no path below `places`, nor any that a dataset would
  // leave out.
  ModelRun(ModelUse& use, const EvolutionSettings& settings, Journal& journal,
           std::vector<std::string> places, std::function<bool()> stops);

  ModelSession& session() { return *m_session; }
  // Returns why no model may be asked any more; none: one may.
  [[nodiscard]] std::optional<std::string> refused() const;
  // Returns why the run must end, such as a bill above its reservation; none: it may go on.
  [[nodiscard]] std::optional<std::string> stopped() const;
  // Returns what was spent and what is left of the cap, for people; empty where nothing costs
  // anything.
  [[nodiscard]] std::string spending() const;

 private:
  Ledger& m_ledger;
  const bool m_is_paid;                       // otherwise a person or a recording answers
  std::unique_ptr<ManualTransport> m_person;  // null: no person answers
  std::unique_ptr<ModelClient> m_client;
  std::unique_ptr<ModelSession> m_session;
};

}  // namespace robust_kbench
