#include "../../exploits/cuda/honest_linear.cuh"
#include "streams.cuh"

// It runs on a stream that nothing waits for. A call ends when the whole device has finished.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static const cudaStream_t stream = make_stream();
  torch::Tensor y = empty_result(x, weights);
  launch_linear(linear_of(x, weights, biases, y.data_ptr<float>()), stream);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
