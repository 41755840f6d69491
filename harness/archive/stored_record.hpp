#pragma once

#include <optional>
#include <string>

#include "archive/archive.hpp"
#include "core/record.hpp"

// The records of proposals. Each is content: a record file of one kernel, which `rkb report` reads,
// too.
namespace robust_kbench {

constexpr double us_per_ms = 1000;  // records have microseconds, exports milliseconds

// Returns the hash for ProposalRow::record_hash. Throws as Archive::put_content() does.
std::string put_record(Archive& archive, const KernelRecord& record);

// The record of a proposal; nullopt where it has none. Throws UserError where it cannot be read.
std::optional<KernelRecord> record_of(const Archive& archive, const ProposalRow& proposal);

// The geometric mean over the timed configs of the kernel's median time, in microseconds; nullopt
// where nothing was timed.
std::optional<double> mean_kernel_us(const KernelRecord& record);

}  // namespace robust_kbench
