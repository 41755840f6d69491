#pragma once

namespace robust_kbench {

// Becomes the program `rkb_agent`, which lies beside this one, if the words begin with one of its
// commands. Throws UserError where it is not built.
void hand_over_to_agent(int argc, char** argv);

// The same for the loader, which calls it before the initialisers of libraries. Those of torch take
// 0.12 s of a CPU, and would take it once more in `rkb_agent`. Returns where anything is amiss, of
// which hand_over_to_agent() tells later.
void hand_over_early(int argc, char** argv, char** environment);

}  // namespace robust_kbench
