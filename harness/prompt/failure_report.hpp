#pragma once

#include <optional>
#include <string>

#include "core/record.hpp"

namespace robust_kbench {

// The reason for which a proposal was refused.
struct ProposalFailure {
  std::string reason_class;                 // ProposalRow::reason_class
  std::string reason;                       // ProposalRow::reason
  std::optional<KernelRecord> record = {};  // of its last evaluation, where there was one
};

// The failure in the words for a model that has to mend the source. A compiler's errors are each
// said once. Failed tests come with the worst cases in full, then the names of the others that
// failed and of those that passed. The commands that replay cases are left out.
std::string failure_report(const ProposalFailure& failure);

// The failure in one short line, without the class.
std::string failure_line(const ProposalFailure& failure);

}  // namespace robust_kbench
