#pragma once

namespace robust_kbench {

// From now on malloc keeps what this process frees, up to 1 GiB, and gives it out again. References
// of one case after another otherwise have the kernel map and clear the same pages anew, which
// takes half of the processor time of some tasks.
void keep_freed_memory();

// Gives kept memory back to the operating system.
void give_back_freed_memory();

}  // namespace robust_kbench
