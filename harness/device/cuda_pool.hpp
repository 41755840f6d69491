#pragma once

#include <cstddef>

namespace robust_kbench {

// Makes the memory pool of GPU 0 in this process, which serves cudaMallocAsync, keep up to `bytes`
// of freed memory. By default the pool gives all of it back at every synchronisation. This takes
// some 60 us, and would happen after each call. Throws HarnessError.
void keep_freed_memory(std::size_t bytes);

}  // namespace robust_kbench
