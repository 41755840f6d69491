#pragma once

namespace robust_kbench {

// From now on malloc keeps what this process frees, up to 1 GiB, and gives it out again. Otherwise
// the operating system maps and clears the same pages anew for the references of each case. This
// takes half of the processor time of some tasks.
void keep_freed_memory();

// Gives kept memory back to the operating system.
void give_back_freed_memory();

}  // namespace robust_kbench
