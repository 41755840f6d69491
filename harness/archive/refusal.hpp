#pragma once

// The classes of reasons (ProposalRow::reason_class) that several files know. The class of a kernel
// that failed an evaluation is the label of its judgement.
namespace robust_kbench::refusal {

inline constexpr const char* duplicate = "duplicate";  // the tokens or the machine code are known
inline constexpr const char* frozen = "frozen";        // a frozen region differs from the parent's
inline constexpr const char* malformed = "malformed";  // no kernel's source, or one with a fault
inline constexpr const char* no_gain = "no_gain";      // a race showed no certain gain
inline constexpr const char* no_source = "no_source";  // the proposer had nothing to give
inline constexpr const char* slower = "slower";        // a race was lost
inline constexpr const char* outranked = "outranked";  // votes preferred others of its generation
inline constexpr const char* voted_out = "voted_out";
// The end of the run's time came first, which says nothing of the kernel.
inline constexpr const char* time_limit = "time_limit";

}  // namespace robust_kbench::refusal
