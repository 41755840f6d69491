#include "archive/stored_record.hpp"

#include <vector>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/statistics.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

using nlohmann::json;

std::string put_record(Archive& archive, const KernelRecord& record) {
  return archive.put_content(record_file({record}).dump());
}

std::optional<KernelRecord> record_of(const Archive& archive, const ProposalRow& proposal) {
  if (proposal.record_hash.empty()) return std::nullopt;
  try {
    return kernels_of(parse_json(archive.content(proposal.record_hash))).at(0);
  } catch (const json::exception& error) {
    throw UserError("the record of proposal " + std::to_string(proposal.id) + " of run " +
                    proposal.run + ", " + archive.content_path(proposal.record_hash).string() +
                    ", is malformed: " + error.what() + "; a newer program may read it");
  }
}

std::optional<double> mean_kernel_us(const KernelRecord& record) {
  std::vector<double> times;
  for (const ConfigTimingRecord& config : record.timings) {
    if (const TimingRecord* kernel = config.find("kernel")) times.push_back(kernel->median_us);
  }
  if (times.empty()) return std::nullopt;
  return geometric_mean(times);
}

}  // namespace robust_kbench
