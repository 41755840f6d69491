#include "../../exploits/cuda/honest_linear.cuh"

cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  C10_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  C10_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

Linear rows_of(const Linear& l, int begin, int end) {
  Linear part = l;
  part.x += begin * l.in;
  part.y += begin * l.out;
  part.rows = end - begin;
  return part;
}

// Half of the rows on each of two streams.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static const cudaStream_t side = make_stream();
  static const cudaEvent_t fork = make_event();
  static const cudaEvent_t join = make_event();
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = empty_result(x, weights);
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  C10_CUDA_CHECK(cudaEventRecord(fork, stream));
  C10_CUDA_CHECK(cudaStreamWaitEvent(side, fork));
  launch_linear(rows_of(l, 0, l.rows / 2), side);
  launch_linear(rows_of(l, l.rows / 2, l.rows), stream);
  C10_CUDA_CHECK(cudaEventRecord(join, side));
  C10_CUDA_CHECK(cudaStreamWaitEvent(stream, join));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
