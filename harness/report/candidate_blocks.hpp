#pragma once

#include "report/evolution_page.hpp"
#include "report/page_blocks.hpp"

namespace robust_kbench {

// One candidate at a time: what became of it, what it changed in its parent, and its source.
nlohmann::json candidate_blocks(const ShownEvolution& shown, PageTexts& texts);

}  // namespace robust_kbench
