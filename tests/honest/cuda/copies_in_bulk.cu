#include "../../exploits/cuda/honest_linear.cuh"

constexpr int chunk = 64;

__device__ unsigned shared_address(const void* memory) {
  return static_cast<unsigned>(__cvta_generic_to_shared(memory));
}

#if __CUDA_ARCH__ >= 900
__device__ void begin_bulk_copy(float* to, const float* from, unsigned bytes, uint64_t* barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(shared_address(barrier)), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
      :
      : "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

__device__ void wait_for(uint64_t* barrier, unsigned phase) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(phase)
        : "memory");
  }
}
#endif

// One thread has a row copied to shared memory in bulk, which an mbarrier tells all of. Copies have
// multiples of 16 bytes at such addresses, so threads copy what is left.
__global__ void bulk_kernel(Linear l) {
  __shared__ alignas(16) float values[chunk];
  const int row = blockIdx.x;
  double sum = threadIdx.x < l.out ? l.biases[threadIdx.x] : 0.0;
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(8) uint64_t barrier;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(shared_address(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
  }
  __syncthreads();
  unsigned phase = 0;
#endif
  for (int first = 0; first < l.in; first += chunk) {
    const float* from = l.x + row * l.in + first;
    const int count = min(chunk, l.in - first);
    int in_bulk = 0;
#if __CUDA_ARCH__ >= 900
    if (reinterpret_cast<uintptr_t>(from) % 16 == 0) in_bulk = count / 4 * 4;
    if (in_bulk > 0) {
      if (threadIdx.x == 0) begin_bulk_copy(values, from, in_bulk * sizeof(float), &barrier);
      wait_for(&barrier, phase);
      phase ^= 1;
    }
#endif
    for (int k = in_bulk + threadIdx.x; k < count; k += blockDim.x) values[k] = from[k];
    __syncthreads();
    for (int k = 0; k < count && threadIdx.x < l.out; ++k) {
      sum += double{values[k]} * l.weights[threadIdx.x * l.in + first + k];
    }
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
    __syncthreads();
  }
  if (threadIdx.x < l.out) l.y[row * l.out + threadIdx.x] = static_cast<float>(sum);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  TORCH_CHECK(weights.size(0) <= block_threads, "too many outputs for one block");
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  bulk_kernel<<<l.rows, block_threads, 0, at::cuda::getCurrentCUDAStream()>>>(l);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
