#include "report/comparison_report.hpp"

#include <algorithm>

#include "core/speedup.hpp"
#include "report/comparison_text.hpp"
#include "report/github_commands.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string change_text(const SpeedupRecord& change) {
  return fmt::format("{}, 95 % interval {}", ratio_text(change.ratio),
                     interval_text({change.ci_low, change.ci_high}));
}

// The verdicts that are worse, gravest first, then the kernels that are too slow, slowest first.
std::vector<Annotation> annotations_of(const MeasurementComparison& comparison) {
  std::vector<const VerdictChange*> verdicts;
  for (const VerdictChange& change : comparison.verdicts) {
    if (change.is_worse()) verdicts.push_back(&change);
  }
  std::ranges::stable_sort(verdicts, [](const VerdictChange* a, const VerdictChange* b) {
    return outranks(a->contender.verdict, b->contender.verdict);
  });
  std::vector<Annotation> annotations;
  for (const VerdictChange* const change : verdicts) {
    const std::string name =
        change->kernel + (change->case_name.empty() ? "" : ", " + change->case_name);
    annotations.push_back({.title = fmt::format("{}: {}, was {}", name, label(change->contender),
                                                label(change->base)),
                           .file = path_in_repository(change->path),
                           .message = change->contender.reason});
  }
  std::vector<std::pair<double, Annotation>> slower;
  const auto add_slower = [&](const ComparedKernel& kernel, const std::string& config,
                              const SpeedupRecord& change) {
    const std::string name = kernel.name + (config.empty() ? "" : ", " + config);
    slower.push_back({change.ratio,
                      {.title = name + ": slower than " + comparison.base,
                       .file = path_in_repository(kernel.path),
                       .message = change_text(change)}});
  };
  for (const ComparedKernel& kernel : comparison.kernels) {
    for (const ComparedCase& c : kernel.cases) {
      if (c.beyond) add_slower(kernel, c.config, c.change);
    }
    if (kernel.beyond && kernel.cases.size() > 1) add_slower(kernel, "all configs", kernel.mean);
  }
  std::ranges::stable_sort(slower, {}, &std::pair<double, Annotation>::first);
  for (auto& [ratio, annotation] : slower) annotations.push_back(std::move(annotation));
  return annotations;
}

}  // namespace

void report_comparison(const std::string& format, const MeasurementComparison& comparison,
                       std::ostream& out, std::ostream& err) {
  if (format == "markdown") {
    out << comparison_markdown(comparison) << std::flush;
    return;
  }
  if (format != "github") {
    out << comparison_console(comparison) << std::flush;
    return;
  }
  {
    const CommandsOff commands_off(out, err);
    out << comparison_console(comparison) << std::flush;
  }
  annotate(out, annotations_of(comparison));
  add_to_step_summary(comparison_markdown(comparison), err);
}

}  // namespace robust_kbench
