#pragma once

#include <array>
#include <map>
#include <string>

#include "evolve/gate.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Rivals in the confirmation race.
struct ConfirmationRace {
  const Candidate& first_parent;
  std::map<std::string, const Candidate*> others;  // by the name that figures give them
  std::map<std::string, double> empty_us;          // see stop_rule.hpp
  double slower_limit = 0.1;                       // see acceptance.hpp
};

// Members of the run's summary about a winner that was confirmed: `confirmed` and `unseen` are
// speed-ups by subject.
inline constexpr std::array confirmed_figures{"confirmed", "unseen", "estimated", "times_us"};

struct Confirmation {
  bool holds = false;
  bool at_least_time = false;  // see stop_rule.hpp
  // The figures by the names above.
  nlohmann::json figures = nlohmann::json::object();
};

// Tests the winner again, and lets it race with new workers and content. Then it is tested on
// configs that no proposer has seen, and races there. The row becomes `refused` where the winner is
// wrong or no faster than the first parent. It is `specialised` where it is right but no faster on
// the unseen configs.
Confirmation confirm(Gate& gate, const Candidate& winner, const ConfirmationRace& race,
                     ProposalRow& row);

}  // namespace robust_kbench
