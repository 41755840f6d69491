#include "cli/evolution_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "evaluate/requirements.hpp"
#include "evolve/command_proposer.hpp"
#include "evolve/device_facts.hpp"
#include "evolve/evolution.hpp"
#include "evolve/live_evaluator.hpp"
#include "evolve/manual_proposer.hpp"
#include "evolve/seeds.hpp"
#include "evolve/submitted_proposer.hpp"
#include "evolve/transform_proposer.hpp"
#include "evolve/tune_proposer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// A GPU where there is one, and the suite has a CUDA kernel for the entry.
Device usual_device(const Manifest& manifest, const Entry& entry) {
  for (const KernelSource& kernel : manifest.kernels_of(entry, Device::cuda)) {
    if (skip_reason(kernel, manifest.toolchain).empty()) return Device::cuda;
  }
  return Device::cpu;
}

bool is_file(const std::string& seed_kernel) {
  const fs::path extension = fs::path(seed_kernel).extension();
  return extension == ".cpp" || extension == ".cu";
}

}  // namespace

EvolutionRun::EvolutionRun(const Suite& suite, const EvolvedEntry& evolved,
                           EvolutionSettings settings)
    : m_suite(suite),
      m_settings(std::move(settings)),
      m_entry{suite.task(evolved.task).name, parse_direction(evolved.direction)},
      m_device(evolved.device.empty() ? usual_device(suite.manifest(), m_entry)
                                      : parse_device(evolved.device)),
      m_view(m_settings) {
  std::vector<KernelSource> further;
  if (is_file(m_settings.seed_kernel)) {
    further.push_back(suite.loose_kernel(evolved.task, evolved.direction,
                                         std::string(to_string(m_device)), m_settings.seed_kernel));
  }
  m_plan = {.entry = m_entry, .device = m_device, .settings = m_settings};
  m_plan.seeds = seeds_of(suite.manifest(), m_entry, m_device, further);
  const auto is_plain = [](const Candidate& seed) { return seed.name == plain_seed; };
  if (std::any_of(m_plan.seeds.begin(), m_plan.seeds.end(), is_plain)) m_plan.plain = plain_seed;
  if (m_settings.seed_kernel != "best") m_plan.first_parent = first_parent();
}

std::string EvolutionRun::first_parent() const {
  const std::string& given = m_settings.seed_kernel;
  const std::string name = is_file(given) ? fs::path(given).stem().string() : given;
  std::string known;
  for (const Candidate& seed : m_plan.seeds) {
    if (seed.name == name) return name;
    known += (known.empty() ? "" : ", ") + seed.name;
  }
  throw UserError("the kernel to begin with, '" + name + "', is none of " + known);
}

std::vector<ConfigSet> EvolutionRun::config_sets() const {
  if (m_settings.configs.empty()) return {};
  return {parse_config_set(m_settings.configs)};
}

std::vector<std::string> EvolutionRun::config_names() const {
  std::vector<std::string> names;
  for (const Config& config : timed_configs(m_suite.manifest(), m_suite.task(m_entry.task),
                                            m_entry.direction, m_device, {.sets = config_sets()})) {
    names.push_back(config.name);
  }
  return names;
}

std::string EvolutionRun::plan_text() const {
  std::vector<std::string> names;
  for (const Candidate& seed : m_plan.seeds) names.push_back(seed.name);
  return fmt::format(
      "Evolves {} on {}. It begins with {} of {}. Proposals come from {}, {} in a generation. "
      "They race on {} configs, for at most {:g} minutes.",
      m_entry.name(), to_string(m_device),
      m_plan.first_parent.empty() ? "the fastest" : m_plan.first_parent + " out",
      fmt::join(names, ", "), fmt::join(m_settings.proposers, ", "), m_settings.population,
      config_names().size(), m_settings.minutes);
}

std::vector<std::unique_ptr<Proposer>> EvolutionRun::proposers(const fs::path& directory,
                                                               Journal& journal,
                                                               const std::stop_token& stop) const {
  const bool cuda = m_device == Device::cuda;
  const PromptOf prompt = [this, configs = config_names()](const ProposalRequest& request) {
    return prompt_for(m_suite.task(m_entry.task), m_entry, m_device, configs, request);
  };
  std::vector<std::unique_ptr<Proposer>> all;
  all.push_back(std::make_unique<SubmittedProposer>(directory, journal));
  for (const std::string& name : m_settings.proposers) {
    if (name == "transform") {
      all.push_back(std::make_unique<TransformProposer>(cuda));
    } else if (name == "tune") {
      const nlohmann::json facts =
          journal.once("device_facts", [this] { return nlohmann::json(device_facts(m_device)); });
      all.push_back(std::make_unique<TuneProposer>(static_cast<std::uint64_t>(m_settings.seed),
                                                   m_settings.tune_budget,
                                                   facts.get<std::map<std::string, long long>>()));
    } else if (name == "command") {
      if (m_settings.command.empty()) {
        throw UserError(
            "the proposer 'command' has no program; give --set 'command=[\"PROGRAM\"]'");
      }
      all.push_back(std::make_unique<CommandProposer>(
          CommandProposerOptions{.command = m_settings.command,
                                 .timeout = std::chrono::milliseconds(
                                     static_cast<long long>(1000 * m_settings.command_seconds)),
                                 .environment = m_settings.command_environment},
          prompt, journal));
    } else {
      all.push_back(std::make_unique<ManualProposer>(
          directory, cuda ? ".cu" : ".cpp", prompt, [stop] { return stop.stop_requested(); },
          journal));
    }
  }
  return all;
}

RunRow EvolutionRun::go(Archive& archive, const std::string& resumed,
                        const std::optional<RecordedRun>& recorded, const std::stop_token& stop) {
  const std::string run =
      resumed.empty()
          ? archive
                .begin_run(m_entry, m_device, static_cast<std::uint64_t>(m_settings.seed),
                           to_json(m_settings))
                .id
          : resumed;
  std::fprintf(stderr, "%s\nrun %s in %s\n", plan_text().c_str(), run.c_str(),
               archive.directory().c_str());
  if (!m_settings.prior.empty()) {
    for (const ProposalRow& row : archive.proposals(archive.run(m_settings.prior).id)) {
      if (row.outcome == "refused") m_plan.refused_before.push_back(row.token_hash);
    }
  }
  load_torch_for(m_suite.manifest(), {m_plan.seeds.front().kernel});
  Journal journal(archive, run, recorded);
  LiveEvaluator evaluator(
      m_suite.manifest(), m_suite.task(m_entry.task), m_entry.direction, m_device,
      {.sets = config_sets(),
       .slower_limit = m_settings.slower_limit,
       .stop = stop,
       .on_progress = [this](const std::string& text) { m_view.progress(text); }});
  Evolution evolution(m_plan, archive, run, journal, evaluator,
                      proposers(archive.directory() / "runs" / run, journal, stop),
                      [this](const nlohmann::json& event) { m_view.show(event); });
  return evolution.run(stop);
}

}  // namespace robust_kbench
