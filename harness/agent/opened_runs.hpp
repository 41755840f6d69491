#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "archive/archive.hpp"
#include "process/interrupt.hpp"
#include "runs/recorded.hpp"
#include "runs/run.hpp"

namespace robust_kbench {

// The interrupt and the archive of a command that carries out runs, and the recorded run of
// --replay. Make it before any other thread starts.
class OpenedRuns {
 public:
  // `suite` and `models` outlive this object. Throws UserError.
  OpenedRuns(const Suite& suite, ModelUse& models, const std::filesystem::path& archive,
             const std::string& replay)
      : m_suite(suite),
        m_models(models),
        m_archive(archive, Archive::Mode::create),
        m_recorded(recorded(replay, archive)) {}

  // Returns what the runs need. This object outlives them.
  [[nodiscard]] RunContext context() {
    return {.suite = m_suite,
            .archive = m_archive,
            .models = m_models,
            .recorded = run_of(m_recorded),
            .stop = m_interrupt.token()};
  }

 private:
  const Suite& m_suite;
  ModelUse& m_models;
  const InterruptStop m_interrupt;
  Archive m_archive;
  const std::unique_ptr<Recorded> m_recorded;
};

}  // namespace robust_kbench
