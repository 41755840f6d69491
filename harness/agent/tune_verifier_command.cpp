#include <cstdio>
#include <memory>

#include "agent/agent_program.hpp"
#include "agent/verifier_command.hpp"
#include "agent/verifier_plan.hpp"
#include "command/common_options.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"
#include "runs/review_run.hpp"
#include "verify/known_kernels.hpp"
#include "verify/labelled_set.hpp"
#include "verify/verifier_tuning.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

struct TuneVerifierCommandOptions {
  VerifierRunOptions run;
  std::string verifier;
  std::string set;
  std::string out;
  std::string json;
};

void print(const TuningGeneration& generation, const std::string& spending) {
  std::printf("generation %d: %s", generation.number, generation.outcome.c_str());
  if (generation.matrix) {
    std::printf(", accuracy %s, precision %s, recall %s",
                to_text(generation.matrix->accuracy()).c_str(),
                to_text(generation.matrix->precision()).c_str(),
                to_text(generation.matrix->recall()).c_str());
  }
  std::printf("%s%s\n", spending.empty() ? "" : "; ", spending.c_str());
  std::fflush(stdout);
}

void print(const VerifierTuningResult& result) {
  std::printf("the best instructions, on the tuning split:\n%s", to_text(result.tuning).c_str());
  if (result.held_out) {
    std::printf("and on the held-out split:\n%s", to_text(*result.held_out).c_str());
  }
  std::printf("%s\n", result.instructions.empty() ? "They are the verifier's own."
                                                  : escaped(result.instructions).c_str());
}

int print_tuning_plan(const AgentProgram& program, const TuneVerifierCommandOptions& options,
                      const LabelledSet& set) {
  VerifierPlan plan(program, options.run, set.device);
  const Verifier verifier = parse_verifier(options.verifier);
  const auto count = [&](Split split) {
    return static_cast<std::int64_t>(set.of(verifier, split).size());
  };
  const std::int64_t tuning = count(Split::tune);
  const std::int64_t held_out = count(Split::held_out);
  const std::vector<const LabelledKernel*> kernels = set.of(verifier);
  const PromptSizes sizes = plan.sizes(entries_of(kernels), sources_of(kernels));
  return plan.print(
      fmt::format("Tunes {} on {} in {}, and judges it by {}.", options.verifier,
                  counted(tuning, "kernel"),
                  counted(plan.settings().writer_generations, "generation"), held_out),
      planned_tuning(plan.settings(), sizes, tuning, held_out));
}

int run_tune_verifier(const AgentProgram& program, const TuneVerifierCommandOptions& options) {
  const Verifier verifier = parse_verifier(options.verifier);
  const LabelledSet set = load_labelled_set(options.set);
  if (options.run.dry_run) return print_tuning_plan(program, options, set);
  const nlohmann::json inputs{{"set", sha256(read_text(options.set).value_or(""))},
                              {"verifier", options.verifier}};
  const OutputFile out(options.out);
  const OutputFile json(options.json);
  VerifierCommand command(program, options.run, RunKind::verifier_tuning, set.device, inputs);
  const auto generations = static_cast<std::size_t>(command.run().settings().writer_generations);
  constexpr std::size_t asked_of_writer = 2;  // what mistakes have in common, and instructions
  command.expect((generations + 1) * set.of(verifier, Split::tune).size() +
                     set.of(verifier, Split::held_out).size(),
                 generations * asked_of_writer);
  return command.carry_out([&] {
    const VerifierTuningResult result =
        tune_verifier(command.run(), verifier, set, [&](const TuningGeneration& generation) {
          command.view().clear();
          print(generation, command.view().spending());
        });
    command.view().clear();
    const nlohmann::json summary = to_json_object(result);
    json.write(summary);
    // Without a held-out trial it was ended early, and the reason says by what.
    if (!result.held_out) return command.run().interrupt(result.stop_reason, summary);
    print(result);
    out.write(result.instructions);
    return command.run().end(result.stop_reason, summary);
  });
}

}  // namespace

Action add_tune_verifier_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<TuneVerifierCommandOptions>();
  add_common_option(command, "--verifier", options->verifier).required();
  add_common_option(command, "--labelled-set", options->set).required();
  command
      .add_option("--generations", options->run.generations,
                  "Instructions that are written; default: 20")
      .between(1, 1000);
  command.add_option("--writer", options->run.writer,
                     "The model that writes instructions; default: that of the verifiers");
  command.add_flag("--no-summary", options->run.raw_mistakes,
                   "Do not show the writer what mistakes have in common");
  add_common_option(command, "--out", options->out, "the best instructions, as a file");
  add_common_option(command, "--json", options->json);
  add_verifier_run_options(command, options->run);
  add_reflections_option(command, options->run);
  return [program, options] { return run_tune_verifier(program, *options); };
}

}  // namespace robust_kbench
