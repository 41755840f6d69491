#pragma once

#include "report/evolution_page.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The greatest speed-up over a seed so far, over time and over what was spent.
nlohmann::json progress_blocks(const ShownEvolution& shown);

}  // namespace robust_kbench
