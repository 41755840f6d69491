#pragma once

#include <string>

#include "archive/rows.hpp"

// The standing of each kernel in its run, in the words of docs/glossary.md.
namespace robust_kbench {

// Whether it passed the gate of its run, and the confirmation has not refused it since.
bool is_accepted(const ProposalRow& proposal);

// Whether the run's winner has been confirmed. That of a run that was interrupted has not.
bool has_confirmed_winner(const RunRow& run);

// "accepted", or for the winner of its run "accepted, winner, confirmed" or "accepted, winner, not
// confirmed". "specialised" may follow. All others have their outcome, or "open" where it is empty.
std::string standing(const RunRow& run, const ProposalRow& proposal);

}  // namespace robust_kbench
