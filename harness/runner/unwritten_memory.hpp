#pragma once

#include <cstdint>

// What a kernel finds in memory of the process that it has not written. A new process has zeros
// there, with which a kernel may be right that is wrong wherever memory was used before. So it
// finds numbers that spoil whatever they enter: as float32 and float64 they are large or NaN, as
// integers far out of any range. They differ from key to key.
namespace robust_kbench {

// Lets the heap keep what is freed, as it does in a process that has run for a while. Call it once,
// before fill_free_heap().
void keep_freed_heap();

// Fills what this thread's malloc will give out next: free blocks of all sizes up to 2 MiB. The
// first 16 bytes of a block are the allocator's own.
void fill_free_heap(std::uint64_t key);

// Fills the stack for 64 KiB below the caller's frame.
void fill_stack(std::uint64_t key);

}  // namespace robust_kbench
