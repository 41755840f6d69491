#pragma once

#include <cstdint>

#include "report/evolution_page.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// How verifiers' votes compare with the truth; empty where none voted.
nlohmann::json verifier_blocks(const ShownEvolution& shown);

struct TotalCosts {
  std::int64_t tokens = 0;
  double dollars = 0;  // of the calls whose price is known
};

TotalCosts total_costs(const ShownEvolution& shown);

// Tokens and dollars by stage and model; empty where no model was asked.
nlohmann::json cost_blocks(const ShownEvolution& shown);

}  // namespace robust_kbench
