#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "archive/proposal_calls.hpp"
#include "archive/run_times.hpp"
#include "core/record.hpp"
#include "core/scrub.hpp"

namespace robust_kbench {

// A proposal as a row of the dataset.
struct DatasetRow {
  const Archive& archive;
  const RunRow& run;
  const ProposalRow& proposal;
  const RunTimes& times;  // of the run
  std::optional<KernelRecord> record;
  ProposalCosts costs;
  nlohmann::json settings;    // of the proposal; its texts are scrubbed
  ProposalMessages messages;  // scrubbed, too
  // The proposer's name for it, or the seed's own name. A number replaces a missing name.
  std::string name;
  std::string folder;  // of its files, relative to the dataset; unique in it
};

// The rows of a run by proposal, one at a time, since each holds its conversations. A proposal
// without a source is left out if no proposer was asked for it. The archive, the run and the
// scrubber outlive this object.
class DatasetRows {
 public:
  DatasetRows(const Archive& archive, const RunRow& run, const Scrubber& scrubber);

  [[nodiscard]] const std::vector<ProposalRow>& proposals() const { return m_proposals; }
  [[nodiscard]] DatasetRow row(std::size_t index) const;

 private:
  const Archive& m_archive;
  const RunRow& m_run;
  const Scrubber& m_scrubber;
  const std::vector<CallRow> m_calls;
  const std::vector<ProposalRow> m_proposals;
  const RunTimes m_times;
  const std::map<std::int64_t, ProposalCosts> m_costs;
  std::vector<std::string> m_folders;  // by index
};

// Whether the proposal has a source text.
bool has_source(const ProposalRow& proposal);
// "kernel.cu" or "kernel.cpp".
std::string kernel_file(const ProposalRow& proposal);

}  // namespace robust_kbench
