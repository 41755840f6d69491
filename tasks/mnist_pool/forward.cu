#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Max pooling over 2 x 2 windows with stride 2. An odd last row or column is left out. NaN wins
// over every number.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

// A thread for each window.
__global__ void max_pool(const float* x, float* y, int planes, int height, int width) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  const int out_height = height / 2;
  const int out_width = width / 2;
  if (index >= planes * out_height * out_width) return;
  const int p = index / (out_height * out_width);
  const int h = index / out_width % out_height;
  const int w = index % out_width;
  float greatest = x[(p * height + 2 * h) * width + 2 * w];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const float value = x[(p * height + 2 * h + i) * width + 2 * w + j];
      greatest = value > greatest || value != value ? value : greatest;
    }
  }
  y[index] = greatest;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  CHECK_INPUT(x);
  TORCH_CHECK(x.dim() == 4 && x.size(2) >= 2 && x.size(3) >= 2,
              "x must be (batch, channels, height, width), its images at least 2 x 2");
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = torch::empty({x.size(0), x.size(1), x.size(2) / 2, x.size(3) / 2}, x.options());
  max_pool<<<blocks_for(y.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), x.size(0) * x.size(1), x.size(2), x.size(3));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "2 x 2 max pooling");
}
