#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/compare/measured_files.hpp"
#include "cli/compare/revision_race.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupted_run.hpp"
#include "command/common_options.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "evaluate/suite.hpp"
#include "report/comparison_csv.hpp"
#include "report/comparison_json.hpp"
#include "report/comparison_report.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct CompareCommandOptions {
  RevisionRaceOptions race;  // its two names may be files, too
  double threshold_percent = 5;
  std::string format = "console";
  std::string json;
  std::string csv;
};

// The files of results, which are known to be writable before a race begins.
class ComparisonFiles {
 public:
  explicit ComparisonFiles(const CompareCommandOptions& options)
      : m_json(options.json), m_csv(options.csv) {}

  void write(const MeasurementComparison& comparison) const {
    m_json.write(comparison_json(comparison));
    m_csv.write(comparison_csv(comparison));
  }

 private:
  const OutputFile m_json;
  const OutputFile m_csv;
};

void require_no_race_options(const RevisionRaceOptions& options) {
  const KernelSelection& selection = options.selection;
  const bool given = !selection.task.empty() || !selection.direction.empty() ||
                     !selection.device.empty() || !selection.kernel.empty() ||
                     selection.source != SourceOptions{} || !options.configs.empty() ||
                     !options.own_configs.empty();
  if (given) {
    throw UserError(options.base +
                    " is a file of measurements; --kernel, --configs and their like "
                    "are for a race, whose BASE is a git revision");
  }
}

bool is_timed(const ComparedSide& side) {
  return std::ranges::any_of(side.kernels,
                             [](const Measured& kernel) { return !kernel.configs.empty(); });
}

int exit_code_of(const MeasurementComparison& comparison) {
  return comparison.is_worse() ? ExitCode::rejected : ExitCode::pass;
}

// A race in which the harness failed, or nothing could run, proves nothing.
int exit_code_of(const RevisionRace& race, const MeasurementComparison& comparison) {
  std::vector<Verdict> verdicts;
  for (const ComparedSide* const side : {&race.base, &race.contender}) {
    for (const Measured& kernel : side->kernels) verdicts.push_back(kernel.judgement.verdict);
  }
  const int raced = exit_code(verdicts);
  const bool proves_nothing = raced == ExitCode::harness_error || raced == ExitCode::skipped;
  return proves_nothing ? raced : exit_code_of(comparison);
}

int compare_files(const CompareCommandOptions& options, const ComparisonFiles& files) {
  const std::string& base = options.race.base;
  const std::string& contender = options.race.contender;
  require_no_race_options(options.race);
  if (contender.empty()) {
    throw UserError("CONTENDER is required: " + base + " is a file, and needs one to compare with");
  }
  if (base == "-" && contender == "-") {
    throw UserError("BASE and CONTENDER are both -, and stdin can be only one of them");
  }
  const ComparedSide before = measurements_of(base);
  const ComparedSide after = measurements_of(contender);
  const MeasurementComparison comparison =
      compare_measurements(before, after, {.threshold = options.threshold_percent / 100});
  report_comparison(options.format, comparison, std::cout, std::cerr);
  files.write(comparison);
  if (!comparison.is_worse() && comparison.kernels.empty() && is_timed(before) && is_timed(after)) {
    throw UserError("no times of " + base + " and " + contender +
                    " can be compared, for the reasons above");
  }
  return exit_code_of(comparison);
}

int compare_revisions(const Program& program, const CompareCommandOptions& options,
                      const ComparisonFiles& files) {
  const InterruptStop interrupt;  // before any other thread starts
  const Suite suite(program.tasks, program.manifest_path);
  const RevisionRace race = race_revisions(suite, options.race, interrupt);
  if (interrupt.signal() != 0) return end_interrupted(interrupt);
  if (race.base.kernels.empty() && race.contender.kernels.empty()) {
    std::printf("no kernel of this build differs between %s and %s\n", race.base.name.c_str(),
                race.contender.name.c_str());
    files.write({.base = race.base.name, .contender = race.contender.name});
    return ExitCode::pass;
  }
  const MeasurementComparison comparison = compare_measurements(
      race.base, race.contender, {.threshold = options.threshold_percent / 100, .one_race = true});
  report_comparison(options.format, comparison, std::cout, std::cerr);
  files.write(comparison);
  return exit_code_of(race, comparison);
}

int run_compare(const Program& program, const CompareCommandOptions& options) {
  const ComparisonFiles files(options);
  if (names_measurements(options.race.base)) return compare_files(options, files);
  if (names_measurements(options.race.contender)) {
    throw UserError(options.race.contender + " is a file of measurements, and " +
                    options.race.base + " is none; compare two files, or two git revisions");
  }
  return compare_revisions(program, options, files);
}

}  // namespace

Action add_compare_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<CompareCommandOptions>();
  command
      .add_option("BASE", options->race.base,
                  "A record file, a benchmark file, an archive, ARCHIVE:RUN, or a git revision")
      .required();
  command.add_option(
      "CONTENDER", options->race.contender,
      "What is compared with it: another file or archive, or after a revision another "
      "one; default there: the working tree");
  command
      .add_option("--threshold", options->threshold_percent,
                  "Percent: exit with 1 where a case is certainly slower by more, or a verdict is "
                  "worse")
      .between(0, 1000)
      .capture_default_str();
  add_selection_options(command, options->race.selection);
  add_configs_option(command, options->race.configs,
                     "small for CPU kernels, single for CUDA "
                     "kernels");
  add_own_configs_option(command, options->race.own_configs);
  add_beyond_listed_options(command, options->race.beyond_listed);
  add_common_option(command, "--report", options->format).capture_default_str();
  add_common_option(command, "--json", options->json);
  add_common_option(command, "--csv", options->csv);
  return [program, options] { return run_compare(program, *options); };
}

}  // namespace robust_kbench
