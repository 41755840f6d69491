#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Two-dimensional convolution of an image with zeros around it:
//   y[n][o][h][w] = biases[o] + sum over c, i, j of
//                   weights[o][c][i][j] x[n][c][h stride + i - padding][w stride + j - padding].
// An input channel's terms are added before their sum goes into the whole one. So no sum has
// thousands of terms.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

struct Shape {
  int batch;
  int in;
  int height;
  int width;
  int out;
  int kernel_height;
  int kernel_width;
  int out_height;
  int out_width;
};

// A thread for each element of y.
__global__ void convolve(const float* x, const float* weights, const float* biases, float* y,
                         Shape s, int stride, int padding) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= s.batch * s.out * s.out_height * s.out_width) return;
  const int n = index / (s.out * s.out_height * s.out_width);
  const int o = index / (s.out_height * s.out_width) % s.out;
  const int h = index / s.out_width % s.out_height;
  const int w = index % s.out_width;
  float sum = biases[o];
  for (int c = 0; c < s.in; ++c) {
    float part = 0.0f;
    for (int i = 0; i < s.kernel_height; ++i) {
      for (int j = 0; j < s.kernel_width; ++j) {
        const int row = h * stride + i - padding;
        const int column = w * stride + j - padding;
        if (row >= 0 && row < s.height && column >= 0 && column < s.width) {
          part += x[((n * s.in + c) * s.height + row) * s.width + column] *
                  weights[((o * s.in + c) * s.kernel_height + i) * s.kernel_width + j];
        }
      }
    }
    sum += part;
  }
  y[index] = sum;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases, int64_t stride,
                      int64_t padding) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  TORCH_CHECK(x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
              "x (batch, in, height, width) and weights (out, in, kh, kw) must agree in `in`");
  TORCH_CHECK(biases.numel() == weights.size(0), "biases must have one element per output channel");
  TORCH_CHECK(stride >= 1 && padding >= 0, "stride must be positive and padding not negative");
  TORCH_CHECK(
      x.size(2) + 2 * padding >= weights.size(2) && x.size(3) + 2 * padding >= weights.size(3),
      "the kernel must fit into the padded image");
  Shape shape;
  shape.batch = x.size(0);
  shape.in = x.size(1);
  shape.height = x.size(2);
  shape.width = x.size(3);
  shape.out = weights.size(0);
  shape.kernel_height = weights.size(2);
  shape.kernel_width = weights.size(3);
  shape.out_height = (shape.height + 2 * padding - shape.kernel_height) / stride + 1;
  shape.out_width = (shape.width + 2 * padding - shape.kernel_width) / stride + 1;
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y =
      torch::empty({shape.batch, shape.out, shape.out_height, shape.out_width}, x.options());
  convolve<<<blocks_for(y.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(), y.data_ptr<float>(),
      shape, stride, padding);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Two-dimensional convolution");
}
