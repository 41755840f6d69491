#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "llm/model_client.hpp"
#include "prompt/model_session.hpp"
#include "runs/model_use.hpp"

namespace robust_kbench {

// Returns the runs whose calls count as this run's: the run itself, and the one in which its
// reference was translated.
std::vector<std::string> asking_runs(const Archive& archive, const std::string& run);

// Returns the calls of all asking_runs().
std::vector<CallRow> calls_of(const CallStore& store, const Archive& archive,
                              const std::string& run);

// The language models of one run of a command: its transport, client and session.
class ModelRun {
 public:
  // The archive holds the run's lock (Archive::hold). With `recorded` that run's answers are taken,
  // and nothing is asked. Once `stops` is true nothing more is asked, and nobody waits for a
  // person. The references outlive this object.
  //
  // The ledger covers all asking_runs(). The journal keeps under `replaced_models` which models
  // stand for retired ones. Models are told no path below `places`, nor any that a dataset would
  // leave out.
  ModelRun(ModelUse& use, const EvolutionSettings& settings, const Archive& archive,
           const std::string& run, Journal& journal, const std::optional<RecordedRun>& recorded,
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
  std::unique_ptr<CallStore> m_recorded;
  std::unique_ptr<Transport> m_own_transport;  // where the helper is none
  std::unique_ptr<ModelClient> m_client;
  std::unique_ptr<ModelSession> m_session;
};

}  // namespace robust_kbench
