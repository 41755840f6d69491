#pragma once

#include <functional>
#include <future>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "evolve/gate.hpp"
#include "evolve/run_log.hpp"
#include "evolve/settings.hpp"
#include "prompt/model_session.hpp"
#include "prompt/prompt_data.hpp"
#include "prompt/prompt_subject.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

struct TranslationSettings {
  int attempts = 10;
  bool error_summary = true;  // a second call condenses each error; else the next attempt sees it
                              // as it is
  bool exhaust = false;       // makes all attempts, and keeps the fastest that is right
  // Makes all attempts at the same time. None sees the result of another, and the fastest that is
  // right is kept.
  bool independent = false;
};

void to_json(nlohmann::json& json, const TranslationSettings& settings);

// The reference that is translated, and the way to do so.
struct TranslationPlan {
  PromptSubject subject;
  KernelSource kernel;  // how answers are compiled; its source is each answer's own
  TranslationSettings settings;
  ModelChoice model;
};

// Has a language model write a first right kernel from a task's reference. Each attempt is a row of
// the run. An answer is parsed, compiled, and tested on all cases; the next attempt sees the last
// source and its error, and the earlier errors. All that happens goes through the journal, so a run
// that was killed goes on by running it again on the same archive and run.
class Translation {
 public:
  // `run` is a run of the archive. The references outlive this object.
  Translation(TranslationPlan plan, Archive& archive, const std::string& run, Journal& journal,
              EvaluationBackend& backend, ModelSession& models, RunLog::OnEvent on_event = {});

  // Ends with the first right kernel, or with the last attempt. The run's winner is the kernel, or
  // 0 where none was right. A model that does not answer, and a request to stop, leave the run
  // `interrupted`: the attempt is made again when it goes on.
  RunRow run(const std::stop_token& stop = {});

 private:
  void ask_all();
  void attempt(int number);
  ModelReply ask(int number);
  [[nodiscard]] ProposalRow row_of(int number) const;
  // These two return none for a right attempt, and else what the next attempt sees of it.
  std::optional<FailedProposal> judge(ProposalRow& row, const ModelReply& reply);
  std::optional<FailedProposal> evaluate(ProposalRow& row, const std::string& source);
  [[nodiscard]] Candidate candidate_of(const ProposalRow& row, const std::string& source) const;
  FailedProposal refuse(ProposalRow& row, const FailedProposal& failed);
  std::string condensed(std::int64_t id, const FailedProposal& failed);
  // The id of the fastest right attempt. They race where there are several.
  std::int64_t fastest();
  void finish(RunState state, const std::string& stop_reason);

  const TranslationPlan m_plan;
  Archive& m_archive;
  RunRow m_run;
  Journal& m_journal;
  ModelSession& m_models;
  RunLog m_log;
  const EvolutionSettings m_usual;          // of evaluations
  TimeLimit m_no_limit{m_journal, {}, {}};  // nobody watches it
  Gate m_gate;
  std::vector<FailedProposal> m_failed;
  std::vector<Candidate> m_right;                  // in the order of attempts
  std::map<int, std::future<ModelReply>> m_asked;  // of independent attempts; they end first
};

}  // namespace robust_kbench
