#include "report/progress_reporter.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {

std::string ProgressReporter::position() const {
  if (m_run.files || m_run.kernels < 2) return "";
  return fmt::format("[{:{}}/{}] ", std::min(m_finished + 1, m_run.kernels),
                     std::to_string(m_run.kernels).size(), m_run.kernels);
}

double ProgressReporter::share() const {
  double done = static_cast<double>(m_finished);
  for (const auto& [kernel, share] : m_begun) done += share;
  return done / static_cast<double>(std::max<std::size_t>(m_run.kernels, 1));
}

void ProgressReporter::progress(const std::string& kernel, const std::string& stage, double share) {
  // A kernel's rivals are tested before it, by stages of their own.
  double& most = m_begun[kernel];
  most = std::max(most, share);
  m_display.update(position() + kernel, stage, this->share());
}

void ProgressReporter::finished(const KernelRecord& record) {
  const std::string name = position() + name_of(m_run, record);
  // The line ends with the name and the verdict, which scripts read. The output at the end of a run
  // of one kernel is complete.
  m_display.end(name, m_run.kernels < 2
                          ? ""
                          : name + ": " + std::string(to_string(record.judgement.verdict)));
  m_begun.erase(name_of(m_run, record));
  ++m_finished;
}

}  // namespace robust_kbench
