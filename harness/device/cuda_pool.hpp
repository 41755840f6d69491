#pragma once

#include <cstddef>

namespace robust_kbench {

// Has this process's memory pool of GPU 0, which serves cudaMallocAsync, keep up to `bytes` of what
// is freed. By itself it gives all of it back whenever somebody waits for the GPU, which takes some
// 60 us and happens after each call here. Throws HarnessError.
void keep_freed_memory(std::size_t bytes);

}  // namespace robust_kbench
