#include "cli/verifier_run.hpp"

#include <cstdio>
#include <utility>

#include "cli/archive/archive_option.hpp"
#include "cli/archive/costs_text.hpp"
#include "cli/candidate_evaluator.hpp"
#include "cli/common_options.hpp"
#include "cli/run_kind.hpp"
#include "cli/same_settings.hpp"
#include "cli/settings_file.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/manifest_places.hpp"
#include "evaluate/requirements.hpp"
#include "evolve/vote_plan.hpp"
#include "process/escape.hpp"
#include "prompt/machine_facts.hpp"

#include <fmt/format.h>

namespace robust_kbench {

using nlohmann::json;

void add_verifier_run_options(CommandLine& command, VerifierRunOptions& options) {
  add_common_option(command, "--model", options.model, "default: the provider's verifier");
  add_common_option(command, "--settings", options.settings);
  command
      .add_option("--transport", options.transport,
                  "manual: questions and answers are files in the run's directory")
      .one_of({"helper", "manual"});
  add_cap_options(command, options.cap);
  add_common_option(command, "--dry-run", options.dry_run);
  add_common_option(command, "--archive", options.archive);
  add_common_option(command, "--resume", options.resume);
  add_common_option(command, "--replay", options.replay);
}

void add_reflections_option(CommandLine& command, VerifierRunOptions& options) {
  command
      .add_option("--reflections", options.reflections,
                  "Second looks at each review; default: those of the settings")
      .between(0, 5);
}

namespace {

void apply_verifier_options(EvolutionSettings& settings, const VerifierRunOptions& options) {
  if (!options.settings.empty()) {
    apply_settings(settings, settings_file(options.settings), options.settings);
  }
  if (!options.transport.empty()) settings.transport = options.transport;
  if (options.reflections >= 0) settings.reflections = options.reflections;
  if (!options.model.empty()) settings.verifier_model = options.model;
  if (!options.writer.empty()) {
    settings.models = {options.writer};
  } else if (!options.model.empty()) {
    settings.models = {options.model};
  }
  if (options.generations > 0) settings.writer_generations = options.generations;
  if (options.raw_mistakes) settings.writer_summary = false;
}

}  // namespace

EvolutionSettings new_verifier_settings(const VerifierRunOptions& options, ModelUse& use) {
  use.read_settings_of(options.settings);
  EvolutionSettings settings;
  apply_verifier_options(settings, options);
  settings.proposers = {"llm"};
  settings = use.resolved(settings);
  if (!asks_models(settings)) throw UserError("verifiers are language models, and none was asked");
  settings.models.resize(1);
  return settings;
}

EvolutionSettings VerifierRun::settings_of_run(const RunRow& run,
                                               const VerifierRunOptions& options) {
  if (run.entry.task != m_command) {
    throw UserError("run " + run.id + " is none of this command; " + how_to_go_on(run));
  }
  if (run.device != m_device) {
    throw UserError(fmt::format("run {} is about kernels for {}, not for {}; {}", run.id,
                                to_string(run.device), to_string(m_device), how_to_go_on(run)));
  }
  EvolutionSettings settings;
  apply_settings(settings, run.settings, "the settings of run " + run.id);
  EvolutionSettings wanted = settings;
  apply_verifier_options(wanted, options);
  if (wanted.models.size() > 1) wanted.models.resize(1);
  require_same_settings(run.id, m_use.in_use(settings), m_use.in_use(std::move(wanted)));
  return settings;
}

EvolutionSettings VerifierRun::settings_of(const VerifierRunOptions& options) {
  if (!options.resume.empty()) return settings_of_run(m_archive.run(options.resume), options);
  if (m_recorded) return settings_of_run(m_recorded->archive.run(m_recorded->run.run), options);
  return new_verifier_settings(options, m_use);
}

VerifierRun::VerifierRun(const Program& program, const VerifierRunOptions& options,
                         const std::string& command, Device device, const json& inputs,
                         std::stop_token stop)
    : m_suite(program.tasks, program.manifest_path),
      m_command(command),
      m_device(device),
      m_stop(std::move(stop)),
      m_use(program.helper, options.cap),
      m_archive(archive_directory(program, options.archive), Archive::Mode::create),
      m_recorded(recorded(options.replay, m_archive.directory())),
      m_settings(settings_of(options)),
      m_run(options.resume) {
  const bool writes_instructions = command == "tune_verifier";
  if (!m_recorded) {
    std::vector<std::string> asked{m_settings.verifier_model};
    if (writes_instructions) asked.push_back(m_settings.models.front());
    m_use.require_askable(m_settings, asked);
  }
  if (m_run.empty()) {
    m_run = m_archive.begin_run({command, Direction::forward}, device, 1, to_json(m_settings)).id;
  }
  m_archive.hold(m_run);
  m_journal = std::make_unique<Journal>(m_archive, m_run, run_of(m_recorded));
  if (m_journal->once("inputs", [&] { return inputs; }) != inputs) {
    const bool resumes = !options.resume.empty();
    throw UserError("run " + (resumes ? m_run : m_recorded->run.run) +
                    " was about other kernels or verifiers; give what it was given, or leave " +
                    (resumes ? "--resume" : "--replay") + " out");
  }
  std::fprintf(stderr, "run %s in %s\n", m_run.c_str(), m_archive.directory().c_str());
  m_models = std::make_unique<ModelRun>(m_use, m_settings, m_archive, m_run, *m_journal,
                                        run_of(m_recorded), manifest_places(m_suite.manifest()),
                                        [this] { return m_stop.stop_requested(); });
  show_answers();
}

void VerifierRun::show_answers() {
  const auto answered = [this](const std::string& call) {
    const std::string money = spending();
    const std::lock_guard lock(m_showing);
    m_line.update(fmt::format("{:.0f} s: {} questions answered; {}{}", m_line.seconds(),
                              ++m_answered, money.empty() ? "" : money + "; ", call));
  };
  const auto noted = [this](const std::string& note) {
    const std::lock_guard lock(m_showing);
    m_line.finish(note);
  };
  m_models->session().listen({.answered = answered, .noted = noted});
}

void VerifierRun::clear_line() {
  const std::lock_guard lock(m_showing);
  m_line.clear();
}

VerifierOptions VerifierRun::verifier_options() const {
  return robust_kbench::verifier_options(m_settings);
}

ModelChoice VerifierRun::writer() const {
  return model_choice(m_settings.models.front(), m_settings.writer_temperature,
                      m_settings.writer_effort, m_settings.writer_output_tokens,
                      "writer_output_tokens");
}

const PromptSubject& VerifierRun::subject(const Entry& entry) {
  const auto known = m_subjects.find(entry.name());
  if (known != m_subjects.end()) return known->second;
  const Manifest& manifest = m_suite.manifest();
  const Task& task = m_suite.task(entry.task);
  const std::vector<std::string> machine = m_journal->once(
      "machine_facts", [&] { return json(machine_facts(m_device, manifest.toolchain)); });
  std::vector<Config> configs;
  if (m_settings.show_shapes) {
    configs = timed_configs(manifest, task, entry.direction, m_device,
                            {.sets = config_sets(m_settings.configs)});
  }
  return m_subjects
      .emplace(entry.name(), prompt_subject(manifest, task, entry.direction, m_device,
                                            std::move(configs), machine))
      .first->second;
}

std::optional<std::string> VerifierRun::refused() const {
  if (m_stop.stop_requested()) return "interrupted";
  return m_models->refused();
}

int VerifierRun::until_interrupted(const std::function<int()>& work) {
  try {
    return work();
  } catch (const Cancelled&) {
    end(json::object(), true, "interrupted");
    return ExitCode::harness_error;
  }
}

void VerifierRun::end(const json& summary, bool interrupted, const std::string& reason) {
  RunRow row = m_archive.run(m_run);
  row.state = interrupted ? "interrupted" : "ended";
  row.stop_reason = reason;
  row.summary = summary;
  m_archive.update_run(row);
  clear_line();
  std::fprintf(stderr, "%s", costs_text(m_use.store().calls(m_run)).c_str());
  if (interrupted) {
    std::fprintf(stderr, "%s; the same command with --resume %s goes on\n",
                 escaped_line(reason).c_str(), m_run.c_str());
  }
}

}  // namespace robust_kbench
