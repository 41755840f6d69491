#include "cli/run_proposers.hpp"

#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "archive/scrub.hpp"
#include "cli/candidate_evaluator.hpp"
#include "core/manifest_places.hpp"
#include "evolve/seeds.hpp"
#include "prompt/contract_text.hpp"
#include "prompt/device_facts.hpp"
#include "prompt/local_headers.hpp"
#include "prompt/machine_facts.hpp"
#include "prompt/prompt_subject.hpp"
#include "prompt/starting_source.hpp"
#include "propose/combine_proposer.hpp"
#include "propose/command_proposer.hpp"
#include "propose/llm_proposer.hpp"
#include "propose/manual_proposer.hpp"
#include "propose/submitted_proposer.hpp"
#include "propose/transform_proposer.hpp"
#include "propose/tune_proposer.hpp"
#include "verify/verification.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

bool on_gpu(const EvolutionPlan& plan) {
  return plan.device == Device::cuda;
}

const Task& task_of(const ProposedRun& run) {
  return run.suite.task(run.plan.entry.task);
}

PromptSubject subject_of(const ProposedRun& run) {
  const EvolutionPlan& plan = run.plan;
  const Manifest& manifest = run.suite.manifest();
  const std::vector<std::string> machine = run.journal.once("machine_facts", [&] {
    return nlohmann::json(machine_facts(plan.device, manifest.toolchain));
  });
  const std::vector<Config> shown =
      plan.settings.show_shapes ? raced_configs(run.suite, plan) : std::vector<Config>();
  return prompt_subject(manifest, task_of(run), plan.entry.direction, plan.device, shown, machine);
}

std::unique_ptr<Proposer> llm_proposer(const ProposedRun& run) {
  // A translated one is a model's own, which may include no headers.
  std::vector<KernelSource> seeds;
  for (const Candidate& seed : run.plan.seeds) {
    if (seed.name != translated_seed) seeds.push_back(seed.kernel);
  }
  ModelRun& models = *run.models;
  return std::make_unique<LlmProposer>(
      LlmProposerOptions{.settings = run.plan.settings,
                         .seed = run.plan.settings.seed,
                         .subject = subject_of(run),
                         .example = starting_source(run.suite.manifest(), task_of(run),
                                                    run.plan.entry.direction, run.plan.device),
                         .headers = local_headers(seeds),
                         .refused = [&models] { return models.refused(); },
                         .stopped = [&models] { return models.stopped(); }},
      models.session());
}

std::unique_ptr<Proposer> tune_proposer(const ProposedRun& run) {
  const EvolutionSettings& settings = run.plan.settings;
  const nlohmann::json facts = run.journal.once(
      "device_facts", [&] { return nlohmann::json(device_facts(run.plan.device)); });
  return std::make_unique<TuneProposer>(static_cast<std::uint64_t>(settings.seed),
                                        settings.tune_budget,
                                        facts.get<std::map<std::string, long long>>());
}

PromptOf prompt_of(const ProposedRun& run) {
  // A replay asks nobody, and needs no facts of the machine.
  struct Contract {
    std::once_flag once;
    std::string text;
  };
  // A program may hand its prompt to a model of its own.
  const Scrubber scrubber = usual_scrubber(run.directory.parent_path().parent_path(),
                                           manifest_places(run.suite.manifest()));
  return [&run, &task = task_of(run), &plan = run.plan, contract = std::make_shared<Contract>(),
          secret = mark_secret_of(run.journal), scrubber](const ProposalRequest& request) {
    std::call_once(contract->once, [&] {
      contract->text = scrubber.scrubbed(std::string_view(contract_text(subject_of(run))));
    });
    const PromptFence fence(secret, fmt::format("propose/{}", request.id), scrubber);
    return prompt_for(task, plan.entry, plan.device, contract->text, fence, request);
  };
}

std::unique_ptr<Proposer> command_proposer(const ProposedRun& run) {
  const EvolutionSettings& settings = run.plan.settings;
  return std::make_unique<CommandProposer>(
      CommandProposerOptions{.command = settings.command,
                             .timeout = std::chrono::milliseconds(
                                 static_cast<long long>(1000 * settings.command_seconds)),
                             .environment = settings.command_environment},
      prompt_of(run), run.journal, run.stop);
}

std::unique_ptr<Proposer> proposer_of(const ProposedRun& run, const std::string& name) {
  if (name == "llm") return llm_proposer(run);
  if (name == "transform") return std::make_unique<TransformProposer>(on_gpu(run.plan));
  if (name == "tune") return tune_proposer(run);
  if (name == "command") return command_proposer(run);
  return std::make_unique<ManualProposer>(
      run.directory, on_gpu(run.plan) ? ".cu" : ".cpp", prompt_of(run),
      [stop = run.stop] { return stop.stop_requested(); }, run.journal);
}

}  // namespace

std::vector<Config> raced_configs(const Suite& suite, const EvolutionPlan& plan) {
  return timed_configs(suite.manifest(), suite.task(plan.entry.task), plan.entry.direction,
                       plan.device, {.sets = config_sets(plan.settings.configs)});
}

std::vector<std::unique_ptr<Proposer>> proposers_of(const ProposedRun& run) {
  std::vector<std::unique_ptr<Proposer>> all;
  all.push_back(std::make_unique<SubmittedProposer>(run.directory, run.journal));
  for (const std::string& name : run.plan.settings.proposers) {
    // What rules and values gain can be told apart, line by line.
    const bool edits = name == "transform" || name == "tune";
    if (edits && all.size() == 1) all.push_back(std::make_unique<CombineProposer>());
  }
  for (const std::string& name : run.plan.settings.proposers) all.push_back(proposer_of(run, name));
  return all;
}

VotePlan vote_plan_of(const ProposedRun& run) {
  const EvolutionSettings& settings = run.plan.settings;
  if (!asks_verifiers(settings)) return {};
  VotePlan plan{.gate = vote_gate(settings), .evaluated = settings.evaluated};
  plan.votes_on = [options = verifier_options(settings), &models = *run.models,
                   subject = subject_of(run)](const Candidate& child) {
    const VerifiedKernel kernel{.subject = subject,
                                .code = child.text,
                                .call = fmt::format("verify/{}", child.id),
                                .proposal = child.id};
    const std::vector<Verifier> all(std::begin(verifiers), std::end(verifiers));
    return votes_on(models.session(), options, {kernel}, all).front();
  };
  return plan;
}

}  // namespace robust_kbench
