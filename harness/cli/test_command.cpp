#include "cli/command.hpp"
#include "cli/entry_options.hpp"
#include "cli/evaluators.hpp"
#include "cli/report_options.hpp"
#include "cli/source_options.hpp"
#include "cli/suite.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "evaluate/build.hpp"
#include "evaluate/requirements.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct TestCommandOptions {
  std::string task, direction, kernel, case_name, configs, nonce, json;
  int seeds = default_seeds;
  BeyondListedOptions beyond_listed;
  bool all_cases = false;
  bool sanitize = false;
  SourceOptions source;
  ReportOptions report;

  [[nodiscard]] bool one_case() const { return !case_name.empty() && case_name != sequence_name; }
};

std::uint64_t nonce_of(const std::string& text) {
  try {
    std::size_t end = 0;
    const std::uint64_t nonce = std::stoull(text, &end, 0);
    if (end == text.size() && nonce != 0 && !text.starts_with('-')) return nonce;
  } catch (const std::exception&) {
  }
  throw UserError("--nonce '" + text +
                  "' is no number above 0; give the one that the failure printed");
}

Request request_of(const TestCommandOptions& options) {
  Request request{.scope = {.seeds = options.seeds,
                            .only_case = options.case_name,
                            .nonce = options.nonce.empty() ? 0 : nonce_of(options.nonce),
                            .all_cases = options.all_cases},
                  .stages = {Stage::compile, options.sanitize ? Stage::sanitize : Stage::test}};
  options.beyond_listed.apply_to(request.scope);
  if (options.one_case()) {
    request.scope.sets = {ConfigSet::single, ConfigSet::multi, ConfigSet::small};
  } else if (!options.configs.empty()) {
    request.scope.sets = {parse_config_set(options.configs)};
  } else if (options.sanitize) {
    request.scope.sets = {ConfigSet::small};
  }
  return request;
}

// A case's name holds its set of configs, and cases of other entries have other names.
void check_case(const std::vector<KernelSource>& kernels, const TestCommandOptions& options) {
  if (!options.one_case()) return;
  if (!options.configs.empty()) {
    throw UserError("--case " + options.case_name + " names its configs; leave --configs out");
  }
  for (const KernelSource& kernel : kernels) {
    if (kernel.entry.name() != kernels.front().entry.name()) {
      throw UserError("--case " + options.case_name +
                      " is of one task and direction; give --task and --direction");
    }
  }
}

int run_test(const Program& program, const TestCommandOptions& options) {
  const OutputFile json(options.json);
  const Suite suite(program.tasks, program.manifest_path);
  const std::vector<KernelSource> kernels =
      suite.select(options.task, options.direction, options.kernel, options.source);
  check_case(kernels, options);
  require_built(suite.manifest(), kernels);
  load_torch_for(suite.manifest(), kernels);
  std::vector<KernelRecord> records;
  Reporters reporters = reporters_of(options.report);
  reporters.begin({.kernels = kernels.size()});
  Evaluators evaluators(suite);
  Request request = request_of(options);
  for (const KernelSource& kernel : kernels) {
    const std::string name = kernel.entry.name() + "." + kernel.name;
    request.on_progress = [&](const Progress& made) { reporters.progress(name, made.text); };
    records.push_back(evaluators.of(kernel).submit(kernel, request));
    reporters.finished(records.back());
  }
  reporters.end(records);
  json.write(record_file(records));
  return exit_code(records);
}

}  // namespace

Run add_test_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<TestCommandOptions>();
  add_entry_options(command, options->task, options->direction);
  command.add_option("--kernel", options->kernel,
                     "Name of a kernel of the build, or path of a source file; default: all");
  const Option case_option = command.add_option("--case", options->case_name,
                                                "One case by name, all of a probe as probe.<name>, "
                                                "or 'sequence'; default: all");
  add_configs_option(command, options->configs, usual_configs_text);
  add_beyond_listed_options(command, options->beyond_listed);
  command.add_option("--seeds", options->seeds, "Cases a config")
      .between(1, 1'000'000)
      .capture_default_str();
  add_all_cases_option(command, options->all_cases);
  const Option nonce = command
                           .add_option("--nonce", options->nonce,
                                       "Decides drawn configs, and keys the calls between: "
                                       "replays both exactly")
                           .needs(case_option);
  command
      .add_flag("--sanitize", options->sanitize,
                "Call CUDA kernels under compute-sanitizer's memcheck, racecheck, initcheck and "
                "synccheck; outputs are not compared. Default configs: small")
      .excludes(nonce);
  add_source_options(command, options->source);
  command.add_option("--json", options->json, "Write the records to this file");
  add_report_options(command, options->report);
  return [program, options] { return run_test(program, *options); };
}

}  // namespace robust_kbench
