#pragma once

#include <string>

#include "archive/archive.hpp"
#include "core/scrub.hpp"
#include "report/evolution_page.hpp"

namespace robust_kbench {

// What a page shows of a run, by what the archive has now. Sources are scrubbed before they are
// compared.
ShownEvolution shown_evolution(const Archive& archive, const std::string& run,
                               const Scrubber& scrubber);

}  // namespace robust_kbench
