#pragma once

namespace robust_kbench {

// Makes malloc keep up to 1 GiB of freed memory for later allocations of this process. Otherwise
// the operating system maps and clears the same pages again for each case's references. That takes
// half of the processor time of some tasks.
void keep_freed_memory();

// Gives kept memory back to the operating system.
void give_back_freed_memory();

}  // namespace robust_kbench
