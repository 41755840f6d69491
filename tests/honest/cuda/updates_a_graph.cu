#include "../../exploits/cuda/honest_linear.cuh"
#include "streams.cuh"

// Made of the first call's graph; takes over the parameters of every further one.
cudaGraphExec_t executable(cudaGraph_t graph) {
  static cudaGraphExec_t made = nullptr;
  cudaGraphExecUpdateResultInfo info{};
  if (made == nullptr) {
    C10_CUDA_CHECK(cudaGraphInstantiate(&made, graph, 0));
  } else {
    C10_CUDA_CHECK(cudaGraphExecUpdate(made, graph, &info));
  }
  return made;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static const cudaStream_t capturing = make_stream();
  torch::Tensor y = empty_result(x, weights);
  cudaGraph_t graph = nullptr;
  C10_CUDA_CHECK(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeThreadLocal));
  launch_linear(linear_of(x, weights, biases, y.data_ptr<float>()), capturing);
  C10_CUDA_CHECK(cudaStreamEndCapture(capturing, &graph));
  C10_CUDA_CHECK(cudaGraphLaunch(executable(graph), at::cuda::getCurrentCUDAStream()));
  C10_CUDA_CHECK(cudaGraphDestroy(graph));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
