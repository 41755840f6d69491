#include "runs/run_proposers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/manifest_places.hpp"
#include "core/scrub.hpp"
#include "evaluate/starting_source.hpp"
#include "evolve/starts.hpp"
#include "prompt/contract_text.hpp"
#include "prompt/device_facts.hpp"
#include "prompt/local_headers.hpp"
#include "prompt/machine_facts.hpp"
#include "prompt/prompt_subject.hpp"
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

const Task& task_of(const Run& run, const EvolutionPlan& plan) {
  return run.context().suite.task(plan.entry.task);
}

std::unique_ptr<Proposer> llm_proposer(Run& run, const EvolutionPlan& plan) {
  // A model wrote the translated kernel, and so it includes no headers of ours.
  std::vector<KernelSource> kernels;
  for (const Candidate& start : plan.starts) {
    if (start.name != translated_start) kernels.push_back(start.kernel);
  }
  ModelRun& models = *run.models();
  return std::make_unique<LlmProposer>(
      LlmProposerOptions{
          .settings = plan.settings,
          .seed = plan.settings.seed,
          .subject = run.subject(plan.entry),
          .example = starting_source(run.context().suite.manifest(), task_of(run, plan),
                                     plan.entry.direction, plan.device),
          .headers = local_headers(kernels),
          .refused = [&models] { return models.refused(); },
          .stopped = [&models] { return models.stopped(); }},
      models.session());
}

std::unique_ptr<Proposer> tune_proposer(Run& run, const EvolutionPlan& plan) {
  const EvolutionSettings& settings = plan.settings;
  const nlohmann::json facts =
      run.journal().once("device_facts", [&] { return nlohmann::json(device_facts(plan.device)); });
  return std::make_unique<TuneProposer>(static_cast<std::uint64_t>(settings.seed),
                                        settings.tune_budget,
                                        facts.get<std::map<std::string, long long>>());
}

PromptOf prompt_of(Run& run, const EvolutionPlan& plan) {
  // A replay asks nobody, and needs no facts of the machine.
  struct Contract {
    std::once_flag once;
    std::string text;
  };
  // A program may hand its prompt to a model of its own.
  const Scrubber scrubber = usual_scrubber(run.context().archive.directory(),
                                           manifest_places(run.context().suite.manifest()));
  return [&run, &task = task_of(run, plan), &plan, contract = std::make_shared<Contract>(),
          secret = mark_secret_of(run.journal()), scrubber](const ProposalRequest& request) {
    std::call_once(contract->once, [&] {
      const PromptSubject subject = subject_beside(request.parent.kernel, run.subject(plan.entry));
      contract->text = scrubber.scrubbed(std::string_view(contract_text(subject)));
    });
    const PromptFence fence(secret, fmt::format("propose/{}", request.id), scrubber);
    return prompt_for(task, plan.entry, plan.device, contract->text, fence, request);
  };
}

std::unique_ptr<Proposer> command_proposer(Run& run, const EvolutionPlan& plan) {
  const EvolutionSettings& settings = plan.settings;
  return std::make_unique<CommandProposer>(
      CommandProposerOptions{.command = settings.command,
                             .timeout = std::chrono::milliseconds(
                                 static_cast<long long>(1000 * settings.command_seconds)),
                             .environment = settings.command_environment},
      prompt_of(run, plan), run.journal(), run.asking());
}

std::unique_ptr<Proposer> proposer_of(Run& run, const EvolutionPlan& plan,
                                      const std::string& name) {
  if (name == "llm") return llm_proposer(run, plan);
  if (name == "transform") return std::make_unique<TransformProposer>(on_gpu(plan));
  if (name == "tune") return tune_proposer(run, plan);
  if (name == "command") return command_proposer(run, plan);
  return std::make_unique<ManualProposer>(
      run.directory(), on_gpu(plan) ? ".cu" : ".cpp", prompt_of(run, plan),
      [stop = run.asking()] { return stop.stop_requested(); }, run.journal());
}

}  // namespace

std::vector<std::unique_ptr<Proposer>> proposers_of(Run& run, const EvolutionPlan& plan) {
  std::vector<std::unique_ptr<Proposer>> all;
  all.push_back(std::make_unique<SubmittedProposer>(run.directory(), run.journal()));
  // The edits of rules and of values can be told apart, line by line.
  const auto edits = [](const std::string& name) { return name == "transform" || name == "tune"; };
  if (std::ranges::any_of(plan.settings.proposers, edits)) {
    all.push_back(std::make_unique<CombineProposer>());
  }
  for (const std::string& name : plan.settings.proposers)
    all.push_back(proposer_of(run, plan, name));
  return all;
}

VotePlan vote_plan_of(Run& run, const EvolutionPlan& plan) {
  const EvolutionSettings& settings = plan.settings;
  if (!asks_verifiers(settings)) return {};
  VotePlan votes{.power = vote_power(settings), .evaluated = settings.evaluated};
  votes.votes_on = [options = verifier_options(settings), &models = *run.models(),
                    &known = run.subject(plan.entry)](const Candidate& child) {
    const PromptSubject subject = subject_beside(child.kernel, known);
    const VerifiedKernel kernel{.subject = subject,
                                .code = child.text,
                                .call = fmt::format("verify/{}", child.id),
                                .proposal = child.id};
    const std::vector<Verifier> all(std::begin(verifiers), std::end(verifiers));
    return votes_on(models.session(), options, {kernel}, all).front();
  };
  return votes;
}

}  // namespace robust_kbench
