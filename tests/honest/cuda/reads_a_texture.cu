#include "../../exploits/cuda/honest_linear.cuh"

__global__ void texture_kernel(Linear l, cudaTextureObject_t weights) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= l.rows * l.out) return;
  double sum = __ldg(l.biases + i % l.out);
  for (int k = 0; k < l.in; ++k) {
    const float weight = tex1Dfetch<float>(weights, i % l.out * l.in + k);
    sum += double{__ldg(l.x + i / l.out * l.in + k)} * weight;
  }
  l.y[i] = static_cast<float>(sum);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = weights.data_ptr();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = weights.nbytes();
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  C10_CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  texture_kernel<<<blocks_for(y.numel()), block_threads, 0, stream>>>(
      linear_of(x, weights, biases, y.data_ptr<float>()), texture);
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  C10_CUDA_CHECK(cudaDestroyTextureObject(texture));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
