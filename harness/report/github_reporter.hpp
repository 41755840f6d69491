#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <vector>

#include "report/console_reporter.hpp"
#include "report/github_commands.hpp"
#include "report/markdown_reporter.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Reports to GitHub Actions. The console's tables go to the log, and Markdown to the summary of the
// step. Annotations name what was rejected, what --fail-if fails, and what is slower than a rival.
class GithubReporter : public Reporter {
 public:
  GithubReporter(std::ostream& out, std::ostream& err);

  void begin(const ReportedRun& run) override;
  void finished(const KernelRecord& record) override;
  void failed(const KernelRecord& record, const std::string& why) override;
  void end(const std::vector<KernelRecord>& records) override;

 private:
  std::ostream& m_out;
  std::ostream& m_err;
  ReportedRun m_run;
  ConsoleReporter m_console;
  std::ostringstream m_summary;
  MarkdownReporter m_markdown;
  std::map<std::string, std::string> m_failed;  // why, by name_of() the kernel
  std::unique_ptr<CommandsOff> m_commands_off;
};

// The annotations of these records, worst first. Rejected kernels come by the gravity of their
// verdicts, then those that `failed` names with the reason, then those slower than a rival.
std::vector<Annotation> annotations_of(const ReportedRun& run,
                                       const std::vector<KernelRecord>& records,
                                       const std::map<std::string, std::string>& failed = {});

}  // namespace robust_kbench
