#pragma once

#include <cstddef>

namespace robust_kbench {

// Makes this process's memory pool of GPU 0, which serves cudaMallocAsync, keep up to `bytes` of
// freed memory. By default it gives all of it back at every synchronisation. That takes some 60 us
// and happens after each call here. Throws HarnessError.
void keep_freed_memory(std::size_t bytes);

}  // namespace robust_kbench
