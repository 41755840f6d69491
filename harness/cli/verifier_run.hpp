#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "cli/command.hpp"
#include "cli/model_run.hpp"
#include "cli/model_use.hpp"
#include "cli/recorded.hpp"
#include "evaluate/suite.hpp"
#include "prompt/prompt_subject.hpp"
#include "report/progress_line.hpp"
#include "verify/verification.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The options that commands which ask verifiers have in common.
struct VerifierRunOptions {
  std::string model;      // of the verifiers; empty: the provider's default
  std::string writer;     // of instructions; empty: the provider's default
  std::string settings;   // a JSON file
  std::string transport;  // empty: that of the settings
  int reflections = -1;   // of each review; -1: those of the settings
  int generations = 0;    // of instructions; 0: those of the settings
  bool raw_mistakes = false;
  std::string archive;
  std::string resume;
  std::string replay;
  bool dry_run = false;
  CapTexts cap;
};

// Declares those that all of these commands have. `options` outlives the parsing.
void add_verifier_run_options(CommandLine& command, VerifierRunOptions& options);
// The same for --reflections, of commands whose models look again.
void add_reflections_option(CommandLine& command, VerifierRunOptions& options);

// The settings of a new run, with the models that it asks. Throws UserError where none may be
// asked.
EvolutionSettings new_verifier_settings(const VerifierRunOptions& options, ModelUse& use);

// A run of an archive in which verifiers are asked about kernels of any entry.
class VerifierRun {
 public:
  // `inputs` identify what the command was given. With --resume they must be those of the run.
  // `command` stands for the run's task. Throws UserError where no model may be asked.
  VerifierRun(const Program& program, const VerifierRunOptions& options, const std::string& command,
              Device device, const nlohmann::json& inputs, std::stop_token stop);

  ModelSession& session() { return m_models->session(); }
  [[nodiscard]] const EvolutionSettings& settings() const { return m_settings; }
  [[nodiscard]] VerifierOptions verifier_options() const;
  // The model that writes instructions, and how it is asked.
  [[nodiscard]] ModelChoice writer() const;
  // What prompts say of an entry. It stays where it is.
  const PromptSubject& subject(const Entry& entry);
  // Why no model is asked any more: a cap, or an interrupt; none: one may be.
  [[nodiscard]] std::optional<std::string> refused() const;

  // What models cost so far, for people; empty where nothing costs anything.
  [[nodiscard]] std::string spending() const { return m_models->spending(); }
  // Clears the line that shows on a terminal what is answered, before others print.
  void clear_line();

  // The exit code of the work, which asks models. An interrupt ends the run, which may go on.
  int until_interrupted(const std::function<int()>& work);

  // Ends the run, whose summary this is; interrupted: it may go on. Prints the costs on stderr.
  void end(const nlohmann::json& summary, bool interrupted, const std::string& reason);
  [[nodiscard]] const std::string& id() const { return m_run; }

 private:
  EvolutionSettings settings_of(const VerifierRunOptions& options);
  // Those of a run that goes on, or is replayed.
  EvolutionSettings settings_of_run(const RunRow& run, const VerifierRunOptions& options);
  void show_answers();

  const Suite m_suite;
  const std::string m_command;
  const Device m_device;
  const std::stop_token m_stop;
  ModelUse m_use;
  Archive m_archive;
  const std::unique_ptr<Recorded> m_recorded;  // of --replay
  EvolutionSettings m_settings;
  std::string m_run;
  std::unique_ptr<Journal> m_journal;
  std::mutex m_showing;
  ProgressLine m_line;
  int m_answered = 0;
  std::unique_ptr<ModelRun> m_models;
  std::map<std::string, PromptSubject> m_subjects;  // by the entry's name
};

}  // namespace robust_kbench
