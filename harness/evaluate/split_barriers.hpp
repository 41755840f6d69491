#pragma once

#include <string>

#include "evaluate/tool_log.hpp"

namespace robust_kbench {

// A log of racecheck, whose races are warnings where the machine code of `library` has split
// barriers. There some threads arrive without waiting (bar.arrive) and others wait for them.
// racecheck does not see the order that they make. `cuobjdump` is an absolute path; without it
// every race stays an error.
ToolLog without_races_at_split_barriers(ToolLog log, const std::string& library,
                                        const std::string& cuobjdump);

}  // namespace robust_kbench
