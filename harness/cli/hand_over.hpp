#pragma once

namespace robust_kbench {

// Becomes the program `rkb_agent`, which lies beside this one, if the words begin with one of its
// commands. Throws UserError where it is not built.
void hand_over_to_agent(int argc, char** argv);

}  // namespace robust_kbench
