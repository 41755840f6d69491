#include "report/progress_reporter.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {

std::string ProgressReporter::position() const {
  if (m_run.files || m_run.kernels < 2) return "";
  return fmt::format("[{:{}}/{}] ", std::min(m_finished + 1, m_run.kernels),
                     std::to_string(m_run.kernels).size(), m_run.kernels);
}

void ProgressReporter::progress(const std::string& kernel, const std::string& stage) {
  m_line.update(position() + kernel + ": " + stage);
  m_pulse.update(position() + kernel, stage);
}

void ProgressReporter::finished(const KernelRecord& record) {
  const std::string name = position() + name_of(m_run, record);
  m_pulse.finish(name);
  // The output at the end of a run of one kernel is complete.
  if (m_run.kernels < 2) {
    m_line.clear();
  } else {
    // The line ends with the name and the verdict, which scripts read.
    m_line.finish(name + ": " + std::string(to_string(record.judgement.verdict)));
  }
  ++m_finished;
}

}  // namespace robust_kbench
