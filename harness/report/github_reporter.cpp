#include "report/github_reporter.hpp"

#include <algorithm>

#include "core/speedup.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string title_of(const ReportedRun& run, const KernelRecord& record, const std::string& what) {
  return name_of(run, record) + ": " + what;
}

void add_slower(const ReportedRun& run, const KernelRecord& record,
                std::vector<Annotation>& annotations) {
  for (const SpeedupRecord& mean : record.mean_speedups) {
    const bool is_rival =
        std::ranges::find(record.rivals, mean.against, &RivalRecord::name) != record.rivals.end();
    if (!is_rival || mean.call != RatioCall::slower) continue;
    annotations.push_back({.level = Annotation::Level::warning,
                           .title = title_of(run, record, in_words(mean)),
                           .file = path_in_repository(record.path),
                           .message = fmt::format("{}, 95 % interval {}", ratio_text(mean.ratio),
                                                  interval_text({mean.ci_low, mean.ci_high}))});
  }
}

}  // namespace

std::vector<Annotation> annotations_of(const ReportedRun& run,
                                       const std::vector<KernelRecord>& records,
                                       const std::map<std::string, std::string>& failed) {
  std::vector<const KernelRecord*> rejected;
  for (const KernelRecord& record : records) {
    const Verdict verdict = record.judgement.verdict;
    if (verdict != Verdict::pass && verdict != Verdict::skipped) rejected.push_back(&record);
  }
  std::ranges::stable_sort(rejected, [](const KernelRecord* a, const KernelRecord* b) {
    return outranks(a->judgement.verdict, b->judgement.verdict);
  });
  std::vector<Annotation> annotations;
  annotations.reserve(rejected.size());
  for (const KernelRecord* const record : rejected) {
    annotations.push_back({.title = title_of(run, *record, label(record->judgement)),
                           .file = path_in_repository(record->path),
                           .message = record->judgement.reason});
  }
  for (const KernelRecord& record : records) {
    const auto why = failed.find(name_of(run, record));
    if (why == failed.end()) continue;
    annotations.push_back({.title = title_of(run, record, "fails --fail-if"),
                           .file = path_in_repository(record.path),
                           .message = why->second});
  }
  for (const KernelRecord& record : records) {
    if (!failed.contains(name_of(run, record))) add_slower(run, record, annotations);
  }
  return annotations;
}

GithubReporter::GithubReporter(std::ostream& out, std::ostream& err)
    : m_out(out), m_err(err), m_console(out), m_markdown(m_summary) {}

void GithubReporter::begin(const ReportedRun& run) {
  m_run = run;
  m_commands_off = std::make_unique<CommandsOff>(m_out, m_err);
  m_console.begin(run);
  m_markdown.begin(run);
}

void GithubReporter::finished(const KernelRecord& record) {
  m_console.finished(record);
}

void GithubReporter::failed(const KernelRecord& record, const std::string& why) {
  m_failed[name_of(m_run, record)] = why;
}

void GithubReporter::end(const std::vector<KernelRecord>& records) {
  m_console.end(records);
  m_markdown.end(records);
  m_commands_off.reset();
  annotate(m_out, annotations_of(m_run, records, m_failed));
  add_to_step_summary(m_summary.str(), m_err);
}

}  // namespace robust_kbench
