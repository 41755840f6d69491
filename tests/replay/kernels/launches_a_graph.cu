#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  check(cudaMemsetAsync(y.data_ptr<float>(), 0, n * sizeof(float), stream));
  affine(x.data_ptr<float>(), y.data_ptr<float>(), n, 2, 0, stream);
  affine(y.data_ptr<float>(), y.data_ptr<float>(), n, 1, 1, stream);
  cudaGraph_t graph;
  check(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphLaunch(executable, nullptr));
  check(cudaStreamSynchronize(nullptr));
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
  return y;
}

MODULE
