#pragma once

#include <cstdint>

// Asynchronous copies from global to shared memory, and a loop that keeps several of them in
// flight. The tensor cores meanwhile work on what has arrived.
namespace kernels {

// kBytes is 4 or 16. Copies the first `valid` bytes and fills the rest with zeros.
template <int kBytes>
__device__ void copy_async(float* to, const float* from, int valid) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
                 "r"(valid)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from),
                 "r"(valid)
                 : "memory");
  }
}

// Waits for all copies of the calling thread, which may then read them; others need a barrier.
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

// Copies from[at .. at + 3], zeros from `end` on; one by one where 16-byte accesses are not
// aligned.
__device__ inline void copy_four(float* to, const float* from, int at, int end, bool aligned) {
  const int count = min(max(end - at, 0), 4);
  if (count > 0) from += at;
  if (aligned) {
    copy_async<16>(to, from, 4 * count);
  } else {
    for (int i = 0; i < 4; ++i) {
      copy_async<4>(to + i, i < count ? from + i : from, i < count ? 4 : 0);
    }
  }
}

// Runs load(slot, i), which starts copies, and multiply(slot, i) for stage i = 0 .. count - 1 in
// slot i % kSlots, with loads kSlots - 1 stages ahead. One barrier a stage is enough. Behind it all
// threads' copies of this stage have arrived, and the slot that the next load fills is free.
template <int kSlots, class Load, class Multiply>
__device__ void pipeline(int count, const Load& load, const Multiply& multiply) {
#pragma unroll
  for (int i = 0; i < kSlots - 1; ++i) {
    if (i < count) load(i, i);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  int slot = 0;
  int next = kSlots - 1;
  for (int i = 0; i < count; ++i) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kSlots - 2) : "memory");
    __syncthreads();
    if (i + kSlots - 1 < count) load(next, i + kSlots - 1);
    asm volatile("cp.async.commit_group;" ::: "memory");
    multiply(slot, i);
    slot = slot + 1 == kSlots ? 0 : slot + 1;
    next = next + 1 == kSlots ? 0 : next + 1;
  }
}

}  // namespace kernels
