#pragma once

#include <stop_token>
#include <string>

#include "evaluate/tool_log.hpp"

namespace robust_kbench {

// A log of racecheck, whose races become warnings where the machine code of `library` has split
// barriers. At these, some threads arrive without waiting (bar.arrive) and others wait for them.
// racecheck does not see the order that they make.
//
// `cuobjdump` is an absolute path; without it every race stays an error. It runs in the sandbox
// beside the toolchain's `worker`. Throws Cancelled where `stop` is requested before it has
// finished.
ToolLog without_races_at_split_barriers(ToolLog log, const std::string& library,
                                        const std::string& cuobjdump, const std::string& worker,
                                        const std::stop_token& stop = {});

}  // namespace robust_kbench
