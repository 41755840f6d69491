#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Gradient of max pooling over 2 x 2 windows with stride 2. The greatest element of a window gets
// its gradient: the first of equals in reading order, or the last NaN. All else gets 0.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

// A thread for each window. dx is 0 before.
__global__ void gradient(const float* x, const float* grad_output, float* dx, int planes,
                         int height, int width) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  const int out_height = height / 2;
  const int out_width = width / 2;
  if (index >= planes * out_height * out_width) return;
  const int p = index / (out_height * out_width);
  const int h = index / out_width % out_height;
  const int w = index % out_width;
  int winner = (p * height + 2 * h) * width + 2 * w;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const int at = (p * height + 2 * h + i) * width + 2 * w + j;
      winner = x[at] > x[winner] || x[at] != x[at] ? at : winner;
    }
  }
  dx[winner] = grad_output[index];
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor backward(py::tuple saved, torch::Tensor grad_output) {
  TORCH_CHECK(saved.size() == 1, "saved must hold x alone");
  torch::Tensor x = saved[0].cast<torch::Tensor>();
  CHECK_INPUT(x);
  CHECK_INPUT(grad_output);
  TORCH_CHECK(x.dim() == 4, "x must be (batch, channels, height, width)");
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == x.size(0) &&
                  grad_output.size(1) == x.size(1) && grad_output.size(2) == x.size(2) / 2 &&
                  grad_output.size(3) == x.size(3) / 2,
              "grad_output must be (batch, channels, height / 2, width / 2)");
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::zeros_like(x);
  gradient<<<blocks_for(grad_output.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), grad_output.data_ptr<float>(), dx.data_ptr<float>(),
      x.size(0) * x.size(1), x.size(2), x.size(3));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of 2 x 2 max pooling");
}
