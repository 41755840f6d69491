#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "evaluate/suite.hpp"
#include "evolve/settings.hpp"
#include "prompt/model_session.hpp"
#include "prompt/prompt_subject.hpp"
#include "runs/model_run.hpp"
#include "runs/model_use.hpp"
#include "runs/run_listener.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

class PilotFleet;

// The context that all runs of a command share. The references outlive the runs.
struct RunContext {
  const Suite& suite;
  Archive& archive;
  ModelUse& models;
  std::optional<RecordedRun> recorded = {};  // answers in place of evaluations, programs and models
  std::stop_token stop = {};                 // an interrupt requests it
  PilotFleet* pilots = nullptr;              // that evaluate; null: this machine does
};

// A run of an archive while it is carried out: an evolution, a translation, a review of kernels and
// so on, new or begun earlier. It holds the run's lock, its journal and its conversation with
// language models, which only a run has whose settings ask models.
class Run {
 public:
  // `id` is a run of the context's archive with these settings. Once `asking` is requested to stop,
  // no model is asked any more. The listener outlives this object.
  Run(RunContext context, std::string id, EvolutionSettings settings, RunListener& listener,
      std::stop_token asking);
  // Makes a run whose questions end with the context's `stop`.
  Run(const RunContext& context, const std::string& id, const EvolutionSettings& settings,
      RunListener& listener)
      : Run(context, id, settings, listener, context.stop) {}

  // Says on stderr where the run is.
  void announce() const;
  [[nodiscard]] const std::string& id() const { return m_id; }
  [[nodiscard]] RunRow row() const { return m_context.archive.run(m_id); }
  [[nodiscard]] std::filesystem::path directory() const;  // of its files, in the archive
  [[nodiscard]] const EvolutionSettings& settings() const { return m_settings; }
  [[nodiscard]] const RunContext& context() const { return m_context; }
  [[nodiscard]] RunListener& listener() { return m_listener; }
  Journal& journal() { return m_journal; }
  [[nodiscard]] const std::stop_token& asking() const { return m_asking; }

  // Null where the settings ask no models.
  ModelRun* models() { return m_models.get(); }
  ModelSession& session() { return m_models->session(); }
  // Returns why no model is asked any more, as a cap or an interrupt; none: one may be.
  [[nodiscard]] std::optional<std::string> refused() const;
  // Returns what prompts say of an entry, with the machine's facts as the journal has them. It
  // stays where it is. Threads may call this.
  const PromptSubject& subject(const Entry& entry);

  // Keeps what the command was given, by which two runs of a command are told apart. Throws
  // UserError where the run that goes on, or is replayed, was given something else.
  void require_inputs(const nlohmann::json& inputs);

  // Carries out the work, which returns the run's row. An interrupt leaves the run `interrupted`.
  RunRow until_interrupted(const std::function<RunRow()>& work);
  // Ends the run.
  RunRow end(const std::string& reason, const nlohmann::json& summary);
  // Leaves the run as one that may go on.
  RunRow interrupt(const std::string& reason, const nlohmann::json& summary = nullptr);

 private:
  RunRow leave(RunState state, const std::string& reason, const nlohmann::json& summary);

  const RunContext m_context;
  const std::string m_id;
  const EvolutionSettings m_settings;
  const std::stop_token m_asking;
  RunListener& m_listener;
  Journal m_journal;
  std::unique_ptr<ModelRun> m_models;
  std::mutex m_mutex;
  std::map<std::string, PromptSubject> m_subjects;  // by the entry's name
};

}  // namespace robust_kbench
