#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "cli/model_use.hpp"
#include "llm/model_client.hpp"
#include "prompt/model_session.hpp"

namespace robust_kbench {

// The runs whose calls are a run's: itself, and the one in which its reference was translated.
std::vector<std::string> asking_runs(const Archive& archive, const std::string& run);

// The calls of all of these.
std::vector<CallRow> calls_of(const CallStore& store, const Archive& archive,
                              const std::string& run);

// The language models of one run of a command: its transport, client and session.
class ModelRun {
 public:
  // The archive holds the run (Archive::hold). With `recorded` the answers are those of that run,
  // and nothing is asked. Once `stops` is true nothing more is asked, and nobody waits for a
  // person. The references outlive this object.
  //
  // The ledger covers all asking_runs(). The journal keeps under `replaced_models` which models
  // stand for retired ones. No path below `places` is said to a model, nor any that a dataset would
  // leave out.
  ModelRun(ModelUse& use, const EvolutionSettings& settings, const Archive& archive,
           const std::string& run, Journal& journal, const std::optional<RecordedRun>& recorded,
           std::vector<std::string> places, std::function<bool()> stops);

  ModelSession& session() { return *m_session; }
  // Why no model may be asked any more; none: one may.
  [[nodiscard]] std::optional<std::string> refused() const;
  // Why the run must end, as where a bill exceeded its reservation; none: it may go on.
  [[nodiscard]] std::optional<std::string> stopped() const;
  // What was spent and what is left of the cap, for people; empty where nothing costs anything.
  [[nodiscard]] std::string spending() const;

 private:
  Ledger& m_ledger;
  std::unique_ptr<CallStore> m_recorded;
  std::unique_ptr<Transport> m_own_transport;  // where the helper is none
  std::unique_ptr<ModelClient> m_client;
  std::unique_ptr<ModelSession> m_session;
};

}  // namespace robust_kbench
