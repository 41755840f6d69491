#include "../../exploits/cuda/honest_linear.cuh"

constexpr int chunk = 64;
constexpr int stages = 2;
constexpr int producers = 32;
constexpr int consumers = block_threads - producers;

__device__ unsigned shared_address(const void* memory) {
  return static_cast<unsigned>(__cvta_generic_to_shared(memory));
}

#if __CUDA_ARCH__ >= 800
__device__ void begin(uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(shared_address(barrier)), "r"(arrivals)
               : "memory");
}

__device__ void arrive(uint64_t* barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }"
               :
               : "r"(shared_address(barrier))
               : "memory");
}

// The thread arrives as soon as its copies are done.
__device__ void arrive_after_copies(uint64_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
               :
               : "r"(shared_address(barrier))
               : "memory");
}

__device__ void copy(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
               :
               : "r"(shared_address(to)), "l"(from)
               : "memory");
}

__device__ void wait_for(uint64_t* barrier, unsigned phase) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; "
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(phase)
        : "memory");
  }
}
#endif

// One warp copies parts of a row to shared memory, and the others add them up. A barrier of each
// stage tells that it is full, and another one that it is free again. Nobody waits at a barrier at
// which it arrives.
__global__ void pipelined_kernel(Linear l) {
#if __CUDA_ARCH__ >= 800
  __shared__ float values[stages][chunk];
  __shared__ alignas(8) uint64_t full[stages];
  __shared__ alignas(8) uint64_t empty[stages];
  const int row = blockIdx.x;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      begin(&full[stage], producers);
      begin(&empty[stage], consumers);
    }
  }
  __syncthreads();
  const int column = threadIdx.x - producers;
  double sum = column >= 0 && column < l.out ? l.biases[column] : 0.0;
  for (int first = 0, part = 0; first < l.in; first += chunk, ++part) {
    const int stage = part % stages;
    const unsigned phase = part / stages % 2;
    const int count = min(chunk, l.in - first);
    if (threadIdx.x < producers) {
      wait_for(&empty[stage], phase ^ 1);
      for (int k = threadIdx.x; k < count; k += producers) {
        copy(&values[stage][k], l.x + row * l.in + first + k);
      }
      arrive_after_copies(&full[stage]);
    } else {
      wait_for(&full[stage], phase);
      for (int k = 0; k < count && column < l.out; ++k) {
        sum += double{values[stage][k]} * l.weights[column * l.in + first + k];
      }
      arrive(&empty[stage]);
    }
  }
  if (column >= 0 && column < l.out) l.y[row * l.out + column] = static_cast<float>(sum);
#endif
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  TORCH_CHECK(weights.size(0) <= consumers, "too many outputs for one block");
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  pipelined_kernel<<<l.rows, block_threads, 0, at::cuda::getCurrentCUDAStream()>>>(l);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
