#include "../../exploits/cuda/honest_linear.cuh"
#include "streams.cuh"

// Asks the second-level cache to keep the weights.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static const cudaStream_t stream = make_stream();
  if (at::cuda::getCurrentDeviceProperties()->persistingL2CacheMaxSize > 0) {
    C10_CUDA_CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size_t{1} << 20));
    cudaStreamAttrValue attribute{};
    attribute.accessPolicyWindow.base_ptr = weights.data_ptr();
    attribute.accessPolicyWindow.num_bytes = weights.nbytes();
    attribute.accessPolicyWindow.hitRatio = 1.0F;
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    C10_CUDA_CHECK(
        cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
  }
  torch::Tensor y = empty_result(x, weights);
  launch_linear(linear_of(x, weights, biases, y.data_ptr<float>()), stream);
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
