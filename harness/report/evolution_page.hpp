#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/timing_record.hpp"

#include <nlohmann/json_fwd.hpp>

// What a page shows of an evolution. Texts are scrubbed already.
namespace robust_kbench {

struct ShownProposal {
  std::int64_t id = 0;
  std::int64_t parent = 0;  // 0: none
  int generation = 0;
  std::string proposer, strategy, stage;
  std::string outcome;   // "accepted", "refused", "seed", ...; "open": not decided
  std::string standing;  // the outcome in full: "accepted, winner, confirmed"
  std::string reason_class, reason;
  std::optional<double> speedup, ci_low, ci_high;  // over its parent
  std::optional<double> over_seed;
  bool is_accepted = false;
  double minutes = 0;  // from the run's start until it was proposed
  double evaluation_seconds = 0;
  std::int64_t tokens = 0;
  double dollars = 0;
  std::string source;  // empty: it has none
};

// The speed-ups of the winner, each "-" where there is none.
struct ShownSpeedup {
  std::string over;  // in words
  std::string in_search, confirmed, unseen;
  std::string result;  // of the confirmation: "faster", "slower" or "not told apart"
};

struct ShownVerifier {
  std::string name;
  int found = 0, overlooked = 0, false_alarms = 0, let_through = 0;
  int abstained_wrong = 0, abstained_right = 0;
  std::string accuracy, precision, recall;  // "0.83 (0.66..0.93)"
};

struct ShownCosts {
  std::string stage, purpose, model;
  std::int64_t calls = 0, attempts = 0, failed = 0, tokens = 0;
  std::optional<double> dollars;  // none: no price is known
};

struct ShownEvolution {
  std::string run, entry, device, state, stop_reason, started, ended;
  std::string machine;                   // in words; empty: not known
  double minutes = 0;                    // from the start to the end; 0: it goes on
  std::int64_t winner = 0;               // 0: none
  ShownSpeedup over_start;               // of the winner, over the kernel with which the run began
  std::vector<ShownSpeedup> speedups;    // over all else
  std::vector<ShownProposal> proposals;  // by id
  std::vector<ShownVerifier> verifiers;
  std::vector<ShownCosts> costs;
};

// A page of an evolution (report/page_blocks.hpp): the best kernel over time and cost, the tree of
// parents, each candidate's code, refusals, verifiers and costs.
nlohmann::json evolution_page(const ShownEvolution& shown);

}  // namespace robust_kbench
