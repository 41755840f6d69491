#include "evolve/generalisation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "evaluate/evaluator.hpp"
#include "evolve/archived_kernel.hpp"
#include "evolve/nearby_configs.hpp"
#include "evolve/race_figures.hpp"
#include "process/temporary_directory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The configs that the run timed. A settings file may name another set than the device's usual one.
std::vector<Config> seen_configs(const Manifest& manifest, const Task& task, const RunRow& run) {
  const std::string set = run.settings.value("configs", std::string());
  Scope scope;
  if (!set.empty()) scope.sets = {parse_config_set(set)};
  return timed_configs(manifest, task, run.entry.direction, run.device, scope);
}

// The unseen configs, which are the same on all machines, so that they can be compared. A kernel
// that exists already cannot be made for them.
std::vector<Config> unseen_configs(const Manifest& manifest, const Task& task, const RunRow& run,
                                   const std::vector<Config>& seen) {
  std::vector<Config> unseen = nearby_configs(task, run.entry.direction, seen,
                                              hash("generalisation of " + run.entry.name()));
  if (run.device == Device::cpu) return unseen;
  for (Config& config : any_configs_of(manifest, task, run.entry.direction, {ConfigSet::multi})) {
    const auto is_it = [&](const Config& other) { return other.params == config.params; };
    if (std::ranges::none_of(seen, is_it)) unseen.push_back(std::move(config));
  }
  return unseen;
}

std::string parameters_text(const Config& config) {
  std::string text;
  for (const auto& [name, value] : config.params.values()) {
    text += (text.empty() ? "" : ", ") + name + " = " + to_string(value);
  }
  return text;
}

EvaluatorOptions generalisation_options(Device device) {
  EvaluatorOptions options = usual_evaluator_options(device);
  options.bench.baselines = {"eager", "compile"};
  return options;
}

}  // namespace

void generalise(const Manifest& manifest, const Task& task, Archive& archive,
                const std::string& run_id,
                const std::function<void(const std::string& text, double share)>& on_progress) {
  RunRow run = archive.run(run_id);
  if (run.winner == 0) throw UserError("run " + run.id + " has no winner; give another run");
  const ProposalRow winner = archive.proposal(run.id, run.winner);
  const TemporaryDirectory scratch("generalise");
  const KernelSource kernel =
      archived_kernel(manifest, archive, run, winner,
                      scratch.path() / (run.device == Device::cuda ? "winner.cu" : "winner.cpp"));
  Evaluator evaluator(manifest, task, run.entry.direction, run.device,
                      generalisation_options(run.device));
  Request request;
  request.stages = {Stage::compile, Stage::test};
  request.on_progress = [&](const Progress& made) { on_progress(made.text, 0); };
  const KernelRecord tested = evaluator.submit(kernel, request);
  if (!tested.judgement.passes()) {
    throw UserError(fmt::format("the winner of run {} is not right here: {}: {}", run.id,
                                label(tested.judgement), tested.judgement.reason));
  }
  const std::string device = run.device == Device::cuda ? tested.gpu : cpu_facts().model;
  nlohmann::json configs = nlohmann::json::array();
  // Configs are timed one by one, so that one which the kernel declines says nothing of the others.
  request.stages = {Stage::compile, Stage::time};
  const std::vector<Config> seen = seen_configs(manifest, task, run);
  const std::vector<Config> unseen = unseen_configs(manifest, task, run, seen);
  request.on_progress = [&](const Progress& made) {
    const auto timed = static_cast<double>(configs.size());
    on_progress(made.text, timed / static_cast<double>(seen.size() + unseen.size()));
  };
  const auto time = [&](const Config& config, bool is_seen) {
    request.timed = {config};
    const KernelRecord record = evaluator.submit(kernel, request);
    configs.push_back({{"config", config.name},
                       {"parameters", parameters_text(config)},
                       {"seen", is_seen},
                       {"verdict", label(record.judgement)},
                       {"speedups", by_subject(record.mean_speedups)}});
  };
  for (const Config& config : seen) time(config, true);
  for (const Config& config : unseen) time(config, false);
  run.summary["generalisation"][device] = {{"proposal", winner.id}, {"configs", configs}};
  archive.update_run(run);
}

}  // namespace robust_kbench
