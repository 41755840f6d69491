#include "../../exploits/cuda/honest_linear.cuh"
#include "streams.cuh"

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
  let_wait(side, stream, fork);
  launch_linear(rows_of(l, 0, l.rows / 2), side);
  launch_linear(rows_of(l, l.rows / 2, l.rows), stream);
  let_wait(stream, side, join);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
