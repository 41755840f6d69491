#include "process/heap.hpp"

#include <malloc.h>

namespace robust_kbench {

void keep_freed_memory() {
  constexpr int kept_bytes = 1 << 30;
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  // Without this, malloc maps a large block separately, and unmaps it when it is freed.
  mallopt(M_MMAP_THRESHOLD, kept_bytes);
}

void give_back_freed_memory() {
  malloc_trim(0);
}

}  // namespace robust_kbench
