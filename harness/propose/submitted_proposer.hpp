#pragma once

#include <filesystem>
#include <string>

#include "archive/journal.hpp"
#include "archive/timestamp.hpp"
#include "core/device.hpp"
#include "propose/proposer.hpp"

namespace robust_kbench {

// Hands a source to a run on this device, which is under way or will go on. The source is proposed
// next, after those that were handed over before, `at` an earlier time. Throws UserError with the
// text of source_fault().
void submit_to_run(const std::filesystem::path& run_directory, const std::filesystem::path& source,
                   Device device, const std::string& at = timestamp());

// Proposes the sources that others have submitted to the run, oldest first.
class SubmittedProposer : public Proposer {
 public:
  SubmittedProposer(std::filesystem::path run_directory, Journal& journal);

  std::optional<Job> begin(const ProposalRequest& request) override;

 private:
  [[nodiscard]] nlohmann::json take() const;

  const std::filesystem::path m_run_directory;
  Journal& m_journal;
};

}  // namespace robust_kbench
