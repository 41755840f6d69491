#pragma once

#include <cstdint>

// The content of the process's memory that a kernel has not written. In a new process it is zero,
// which may make a wrong kernel right that fails in memory used before. So it is filled with
// numbers that spoil any result. As float32 and float64 they are large or NaN, as integers far out
// of range. They differ from key to key.
namespace robust_kbench {

// Makes the heap keep freed memory, as in a process that has run for a while. Call it once, before
// fill_free_heap().
void keep_freed_heap();

// Fills the blocks that this thread's malloc will hand out next: free blocks of all sizes up to 2
// MiB. The allocator itself uses the first 16 bytes of a block.
void fill_free_heap(std::uint64_t key);

// Fills the stack for 64 KiB below the caller's frame.
void fill_stack(std::uint64_t key);

}  // namespace robust_kbench
