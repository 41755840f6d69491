#include "../../exploits/cuda/honest_linear.cuh"

// Lets the next kernel start while this one still writes.
__global__ void products_kernel(Linear l, float* products) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= l.rows * l.out * l.in) return;
  const int row = i / l.in / l.out;
  const int column = i / l.in % l.out;
  products[i] = l.x[row * l.in + i % l.in] * l.weights[column * l.in + i % l.in];
}

// Starts early, and waits until the kernel before it has written all.
__global__ void sums_kernel(Linear l, const float* products) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = i < l.rows * l.out;
  double sum = inside ? l.biases[i % l.out] : 0.0;
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
  if (!inside) return;
  for (int k = 0; k < l.in; ++k) sum += products[i * l.in + k];
  l.y[i] = static_cast<float>(sum);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  const torch::Tensor temporary = torch::empty({y.numel() * x.size(1)}, x.options());
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  float* products = temporary.data_ptr<float>();
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  products_kernel<<<blocks_for(temporary.numel()), block_threads, 0, stream>>>(l, products);
  C10_CUDA_KERNEL_LAUNCH_CHECK();

  int major = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks_for(y.numel()));
  config.blockDim = dim3(block_threads);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = major >= 9 ? 1 : 0;
  C10_CUDA_CHECK(cudaLaunchKernelEx(&config, sums_kernel, l, static_cast<const float*>(products)));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
