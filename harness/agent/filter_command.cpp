#include <algorithm>
#include <cstdio>

#include "agent/agent_program.hpp"
#include "agent/filter_text.hpp"
#include "agent/task_judgement.hpp"
#include "agent/verifier_command.hpp"
#include "command/common_options.hpp"
#include "command/scope_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/text_file.hpp"
#include "evaluate/suite.hpp"
#include "filter/filter_json.hpp"
#include "filter/filters.hpp"
#include "report/progress_display.hpp"
#include <robust_kbench/task.hpp>

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct FilterCommandOptions {
  FilterOptions filter;
  std::vector<std::string> tasks, filters;
  std::string device = "cpu", configs, nonce, json, speedups;
  bool explain = false;
  VerifierRunOptions run;  // of judgements
};

// Reads the table of speed-ups by the tasks' own names. It may name a package by its path.
std::map<std::string, double> speedups_of(const Suite& suite, const std::string& path) {
  const std::optional<std::string> text = read_text(path);
  if (!text) throw UserError("--speedups " + path + " cannot be read");
  std::map<std::string, double> speedups;
  for (const auto& [task, speedup] : read_speedups(*text)) {
    speedups[suite.task(task).name] = speedup;
  }
  return speedups;
}

// Returns the tasks that the command names, else those of the table of speed-ups, else all of the
// build.
std::vector<const Task*> chosen_tasks(const Suite& suite, const FilterCommandOptions& options,
                                      const std::map<std::string, double>& speedups) {
  std::vector<std::string> names = options.tasks;
  if (names.empty()) {
    for (const auto& [task, speedup] : speedups) names.push_back(task);
  }
  if (names.empty()) {
    for (const TaskDirectory& task : suite.manifest().tasks) names.push_back(task.name);
  }
  std::vector<const Task*> tasks;
  for (const std::string& name : names) tasks.push_back(&suite.task(name));
  return tasks;
}

// Runs all filters on the tasks, and tells which task they look at.
std::vector<TaskVerdict> verdicts_on(const Suite& suite, const std::vector<const Task*>& tasks,
                                     const FilterOptions& filter) {
  std::vector<TaskVerdict> verdicts;
  ProgressDisplay progress;
  for (const Task* task : tasks) {
    const auto tell = [&](const std::string& looking, double share) {
      const double done = static_cast<double>(verdicts.size()) + share;
      progress.update(task->name, looking, done / static_cast<double>(tasks.size()));
    };
    verdicts.push_back(filter_task(suite.manifest(), *task, filter, tell));
    progress.end(task->name);
  }
  return verdicts;
}

// Runs all filters on the tasks. A judgement takes the place of one that was skipped. Returns the
// exit code.
int filter_tasks(const Suite& suite, const std::vector<const Task*>& tasks,
                 const FilterCommandOptions& options, const OutputFile& out,
                 const std::map<std::string, double>& speedups,
                 const std::map<std::string, FilterResult>& judgements) {
  const FilterOptions& filter = options.filter;
  std::vector<TaskVerdict> verdicts = verdicts_on(suite, tasks, filter);
  for (TaskVerdict& verdict : verdicts) {
    if (const auto known = judgements.find(verdict.task); known != judgements.end()) {
      *std::ranges::find(verdict.results, Filter::judgement, &FilterResult::filter) = known->second;
    }
    if (options.explain) std::printf("%s", filter_explanation(verdict, filter.seeds).c_str());
  }
  std::printf("%s", filter_table(verdicts).c_str());
  std::optional<SpeedupMeans> means;
  if (!speedups.empty()) {
    means = speedup_means(speedups, verdicts);
    std::printf("%s", speedup_means_text(*means).c_str());
  }
  out.write(filter_json(filter, verdicts, means));
  const bool any = std::ranges::any_of(verdicts, &TaskVerdict::caught);
  return any ? ExitCode::rejected : ExitCode::pass;
}

int run_filter(const AgentProgram& program, FilterCommandOptions options) {
  FilterOptions& filter = options.filter;
  filter.device = parse_device(options.device);
  if (!options.configs.empty()) filter.configs = parse_config_set(options.configs);
  if (!options.nonce.empty()) filter.nonce = parse_nonce(options.nonce);
  for (const std::string& name : options.filters) filter.only.insert(parse_filter(name));
  const OutputFile out(options.json);
  const Suite suite(program.tasks, program.manifest_path);
  std::map<std::string, double> speedups;
  if (!options.speedups.empty()) speedups = speedups_of(suite, options.speedups);
  const std::vector<const Task*> tasks = chosen_tasks(suite, options, speedups);
  const auto filter_with = [&](const std::map<std::string, FilterResult>& judgements) {
    return filter_tasks(suite, tasks, options, out, speedups, judgements);
  };
  if (!asks_for_judgement(options.run)) return filter_with({});
  if (options.run.dry_run) return plan_judgements(program, options.run, filter.device, tasks);
  VerifierCommand command(program, options.run, RunKind::judgement, filter.device,
                          judged_tasks(suite.manifest(), tasks));
  std::map<std::string, FilterResult> by_task;
  const int code = command.carry_out([&] {
    Judgements judgements = judgements_of(command.run(), tasks);
    by_task = std::move(judgements.by_task);
    return command.end("all tasks were judged", judgements.failure, nlohmann::json::object());
  });
  if (by_task.empty()) return code;  // an interrupt came before
  const int caught = filter_with(by_task);
  return code == ExitCode::pass ? caught : code;
}

}  // namespace

Action add_filter_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<FilterCommandOptions>();
  FilterOptions& filter = options->filter;
  command.add_option("TASK", options->tasks,
                     "Tasks by name, or by the path of a package; default: all of the build");
  add_common_option(command, "--device", options->device, "here: what makes the references")
      .capture_default_str();
  add_configs_option(command, options->configs, "small on the CPU, single on CUDA");
  add_common_option(command, "--seeds", filter.seeds).capture_default_str();
  add_common_option(command, "--nonce", options->nonce, "default: 1");
  command.add_option("--filters", options->filters, "Only these look; default: all")
      .delimiter(',')
      .one_of(filter_names());
  const auto threshold = [&](const char* name, double& value, const char* text) {
    command.add_option(name, value, text).between(0, 1e300).capture_default_str();
  };
  threshold("--range", filter.range,
            "output_range catches an output whose every element is nearer to 0");
  threshold("--deviation", filter.deviation,
            "output_std and output_axes catch one that deviates less over seeds, or along an axis");
  threshold("--input-impact", filter.input_impact,
            "input_impact catches one that deviates less over seeds of the inputs");
  threshold("--weight-impact", filter.weight_impact,
            "weight_impact catches a weight over whose seeds the outputs deviate less");
  threshold("--tolerance", filter.tolerance,
            "tolerance catches limits of errors that are as much of what differs between calls");
  threshold("--baseline", filter.baseline,
            "baseline catches eager mode with as many times the flops or bytes that are needed");
  command.add_flag("--explain", options->explain,
                   "Print what each filter measured where, and why it matters");
  command.add_option("--speedups", options->speedups,
                     "A table task,speedup in CSV or JSON: print its geometric mean over all tasks "
                     "and over those that no filter catches");
  add_common_option(command, "--json", options->json);
  add_verifier_run_options(command, options->run);
  return [program, options] { return run_filter(program, *options); };
}

}  // namespace robust_kbench
