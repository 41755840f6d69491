#pragma once

// Sums over a warp and over a block, and groups of floats that load and store as one access.
namespace kernels {

// kWidth = 4 moves as one 16-byte access, kWidth = 1 takes any address.
template <int kWidth>
struct alignas(kWidth * sizeof(float)) Pack {
  float at[kWidth];
};

template <int kWidth>
__device__ Pack<kWidth> load(const float* from) {
  return *reinterpret_cast<const Pack<kWidth>*>(from);
}

// Stores a pack to global memory.
template <int kWidth>
__device__ void store(float* to, const Pack<kWidth>& pack) {
  if constexpr (kWidth == 4) {
    // An assignment the compiler may split into four.
    __stwb(reinterpret_cast<float4*>(to),
           make_float4(pack.at[0], pack.at[1], pack.at[2], pack.at[3]));
  } else {
    *reinterpret_cast<Pack<kWidth>*>(to) = pack;
  }
}

// A long sum as exact as if its terms were added in twice the precision (Kahan).
struct LongSum {
  float sum = 0.0f;
  float lost = 0.0f;  // how much `sum` exceeds the terms so far

  __device__ void operator+=(float term) {
    const float exact = term - lost;
    const float next = sum + exact;
    lost = (next - sum) - exact;
    sum = next;
  }
};

// Every lane gets the sum.
__device__ inline float warp_sum(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, distance);
  }
  return value;
}

__device__ inline float warp_max(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
  }
  return value;
}

// Sums kCount values over a block of kWarps warps and gives every thread the sums. Calls in a row
// are safe, since the second barrier keeps the next call from overwriting what this one still
// reads.
template <int kWarps, int kCount>
__device__ void block_sum(float (&values)[kCount]) {
  __shared__ float sums[kCount][kWarps];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    values[i] = warp_sum(values[i]);
    if (lane == 0) sums[i][warp] = values[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    values[i] = warp_sum(lane < kWarps ? sums[i][lane] : 0.0f);
  }
  __syncthreads();
}

}  // namespace kernels
