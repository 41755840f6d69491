#include <cstdio>
#include <memory>

#include "agent/agent_program.hpp"
#include "agent/verifier_command.hpp"
#include "agent/verifier_plan.hpp"
#include "command/common_options.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "runs/review_run.hpp"
#include "torch_task/package_facts.hpp"
#include "torch_task/package_files.hpp"
#include "verify/labelled_set.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* all_reviewed = "all kernels were reviewed";

struct VerifyCommandOptions {
  VerifierRunOptions run;
  std::string task;
  std::string direction = "forward";
  std::string device;
  std::string set;
  std::string split;
  std::string verifier;
  std::string instructions;
  std::string json;
  std::vector<std::string> kernels;
};

std::vector<Verifier> asked(const VerifyCommandOptions& options) {
  if (!options.verifier.empty()) return {parse_verifier(options.verifier)};
  return {std::begin(verifiers), std::end(verifiers)};
}

std::string text_of(const std::string& what, const std::string& path) {
  std::optional<std::string> text = read_text(path);
  if (!text) throw UserError(what + " " + path + " cannot be read");
  return *std::move(text);
}

// Reads the instructions, which are for one verifier.
std::string instructions_of(const VerifyCommandOptions& options) {
  if (options.instructions.empty()) return "";
  if (options.verifier.empty()) throw UserError("--instructions needs --verifier, whose they are");
  return text_of("--instructions", options.instructions);
}

Device verified_device(const VerifyCommandOptions& options) {
  if (!options.device.empty()) return parse_device(options.device);
  return options.kernels.front().ends_with(".cu") ? Device::cuda : Device::cpu;
}

int plan_kernels(const AgentProgram& program, const VerifyCommandOptions& options,
                 const std::string& instructions, const std::vector<std::string>& sources) {
  VerifierPlan plan(program, options.run, verified_device(options));
  plan.instruct(options.verifier, instructions);
  const auto reviews = static_cast<std::int64_t>(sources.size() * asked(options).size());
  const PromptSizes sizes =
      plan.sizes({{options.task, parse_direction(options.direction)}}, sources);
  return plan.print(
      fmt::format("{} of {}.", counted(reviews, "review"), counted(sources.size(), "kernel")),
      planned_reviews(plan.settings(), sizes, reviews));
}

int plan_set(const AgentProgram& program, const VerifyCommandOptions& options,
             const LabelledSet& set, std::optional<Split> split, const std::string& instructions) {
  VerifierPlan plan(program, options.run, set.device);
  plan.instruct(options.verifier, instructions);
  std::int64_t reviews = 0;
  std::vector<const LabelledKernel*> kernels;
  for (const Verifier verifier : asked(options)) {
    const std::vector<const LabelledKernel*> own = set.of(verifier, split);
    reviews += static_cast<std::int64_t>(own.size());
    kernels.insert(kernels.end(), own.begin(), own.end());
  }
  const PromptSizes sizes = plan.sizes(entries_of(kernels), sources_of(kernels));
  return plan.print(fmt::format("{} of kernels of {}.", counted(reviews, "review"), options.set),
                    planned_reviews(plan.settings(), sizes, reviews));
}

// Identifies what is reviewed. The task may be named by its package, which may move.
json inputs_of(const VerifyCommandOptions& options, const std::string& instructions,
               const std::vector<std::string>& sources) {
  const std::string name =
      names_a_package(options.task) ? package_facts(options.task).name : options.task;
  json inputs{{"entry", Entry{name, parse_direction(options.direction)}.name()},
              {"verifier", options.verifier},
              {"instructions", instructions},
              {"kernels", json::array()}};
  for (const std::string& source : sources) inputs["kernels"].push_back(sha256(source));
  return inputs;
}

// Prints the votes on each kernel, and returns them as the run's summary. `failure` becomes why a
// verifier has not voted, where one has failed.
json print_votes(const std::vector<std::string>& kernels, const std::vector<Votes>& votes,
                 std::string& failure) {
  json results = json::array();
  for (std::size_t i = 0; i < votes.size(); ++i) {
    std::printf("%s: %g of %zu\n%s", kernels[i].c_str(), score(votes[i]), votes[i].size(),
                to_text(votes[i]).c_str());
    results.push_back({{"kernel", kernels[i]},
                       {"votes", votes_json(votes[i])},
                       {"verdicts", verdicts_json(votes[i])}});
    for (const auto& [verifier, vote] : votes[i]) {
      if (vote.failed) failure = vote.abstention;
    }
  }
  return {{"kernels", results}};
}

int verify_kernels(const AgentProgram& program, const VerifyCommandOptions& options) {
  if (options.task.empty()) {
    throw UserError("--task is missing; `" + own_command() + " list` names the tasks");
  }
  const std::string instructions = instructions_of(options);
  std::vector<std::string> sources;
  for (const std::string& path : options.kernels) sources.push_back(text_of("kernel", path));
  const json inputs = inputs_of(options, instructions, sources);
  if (options.run.dry_run) return plan_kernels(program, options, instructions, sources);
  const OutputFile out(options.json);
  VerifierCommand command(program, options.run, RunKind::verification, verified_device(options),
                          inputs);
  command.expect(sources.size() * asked(options).size());
  return command.carry_out([&] {
    const Entry entry{options.task, parse_direction(options.direction)};
    const std::vector<Votes> votes =
        review_kernels(command.run(), {asked(options), instructions}, entry, sources);
    command.view().clear();
    std::string failure;
    const json summary = print_votes(options.kernels, votes, failure);
    out.write(summary);
    return command.end(all_reviewed, failure, summary);
  });
}

int verify_set(const AgentProgram& program, const VerifyCommandOptions& options) {
  if (!options.kernels.empty() || !options.task.empty()) {
    throw UserError(
        "--labelled-set has kernels and their tasks of its own; leave KERNEL and --task out");
  }
  const std::string instructions = instructions_of(options);
  const LabelledSet set = load_labelled_set(options.set);
  std::optional<Split> split;
  if (!options.split.empty()) split = parse_split(options.split);
  if (options.run.dry_run) return plan_set(program, options, set, split, instructions);
  const json inputs{{"set", sha256(text_of("--labelled-set", options.set))},
                    {"split", options.split},
                    {"verifier", options.verifier},
                    {"instructions", instructions}};
  const OutputFile out(options.json);
  VerifierCommand command(program, options.run, RunKind::verification, set.device, inputs);
  std::size_t reviews = 0;
  for (const Verifier verifier : asked(options)) reviews += set.of(verifier, split).size();
  command.expect(reviews);
  return command.carry_out([&] {
    json summary = json::object();
    const auto print_trial = [&](Verifier verifier, const VerifierTrial& trial) {
      const std::string name(to_string(verifier));
      command.view().clear();
      std::printf("verifier %s on %s of %s\n%s", name.c_str(),
                  counted(trial.matrix.kernels(), "kernel").c_str(), options.set.c_str(),
                  to_text(trial.matrix).c_str());
      summary[name] = to_json_object(trial.matrix);
    };
    const std::string failure =
        review_set(command.run(), {asked(options), instructions}, set, split, print_trial);
    out.write(summary);
    return command.end(all_reviewed, failure, summary);
  });
}

int run_verify(const AgentProgram& program, const VerifyCommandOptions& options) {
  if (!options.set.empty()) return verify_set(program, options);
  if (options.kernels.empty()) throw UserError("give kernels, or --labelled-set with a file");
  return verify_kernels(program, options);
}

}  // namespace

Action add_verify_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<VerifyCommandOptions>();
  add_common_option(command, "--task", options->task);
  add_common_option(command, "--direction", options->direction).capture_default_str();
  add_common_option(command, "--device", options->device, "default: cpu for .cpp, cuda for .cu");
  add_common_option(command, "--labelled-set", options->set,
                    "print each verifier's confusion matrix");
  command.add_option("--split", options->split, "The part of the set; default: all of it")
      .one_of({"tune", "held_out"});
  add_common_option(command, "--verifier", options->verifier, "default: all three");
  command.add_option("--instructions", options->instructions,
                     "A file of instructions for the verifier, as `rkb tune-verifier` writes it");
  add_common_option(command, "--json", options->json);
  add_verifier_run_options(command, options->run);
  add_reflections_option(command, options->run);
  command.add_option("KERNEL", options->kernels, "Source files, each one kernel");
  return [program, options] { return run_verify(program, *options); };
}

}  // namespace robust_kbench
