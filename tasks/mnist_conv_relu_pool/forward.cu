#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// y = max_pool2d(max(conv2d(x, weights) + biases, 0), 2). The convolution is written whole, and
// ReLU and the maximum of 2 x 2 windows are taken of it.

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
  int out_height;  // of the convolution
  int out_width;
  int pooled_height;
  int pooled_width;
};

// A thread for each element of z.
__global__ void convolve(const float* x, const float* weights, const float* biases, float* z,
                         Shape s) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= s.batch * s.out * s.out_height * s.out_width) return;
  const int n = index / (s.out * s.out_height * s.out_width);
  const int o = index / (s.out_height * s.out_width) % s.out;
  const int h = index / s.out_width % s.out_height;
  const int w = index % s.out_width;
  float sum = biases[o];
  for (int c = 0; c < s.in; ++c) {
    for (int i = 0; i < s.kernel_height; ++i) {
      for (int j = 0; j < s.kernel_width; ++j) {
        sum += x[((n * s.in + c) * s.height + h + i) * s.width + w + j] *
               weights[((o * s.in + c) * s.kernel_height + i) * s.kernel_width + j];
      }
    }
  }
  z[index] = sum;
}

// A thread for each window.
__global__ void relu_and_pool(const float* z, float* y, Shape s) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= s.batch * s.out * s.pooled_height * s.pooled_width) return;
  const int p = index / (s.pooled_height * s.pooled_width);
  const int h = index / s.pooled_width % s.pooled_height;
  const int w = index % s.pooled_width;
  float greatest = 0.0f;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const float value = z[(p * s.out_height + 2 * h + i) * s.out_width + 2 * w + j];
      greatest = value > greatest || value != value ? value : greatest;  // NaN wins
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

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  TORCH_CHECK(x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
              "x (batch, in, height, width) and weights (out, in, kh, kw) must agree in `in`");
  TORCH_CHECK(biases.numel() == weights.size(0), "biases must have one element per output channel");
  TORCH_CHECK(x.size(2) > weights.size(2) && x.size(3) > weights.size(3),
              "the convolution must leave at least 2 x 2 to pool");
  Shape shape;
  shape.batch = x.size(0);
  shape.in = x.size(1);
  shape.height = x.size(2);
  shape.width = x.size(3);
  shape.out = weights.size(0);
  shape.kernel_height = weights.size(2);
  shape.kernel_width = weights.size(3);
  shape.out_height = shape.height - shape.kernel_height + 1;
  shape.out_width = shape.width - shape.kernel_width + 1;
  shape.pooled_height = shape.out_height / 2;
  shape.pooled_width = shape.out_width / 2;
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor z =
      torch::empty({shape.batch, shape.out, shape.out_height, shape.out_width}, x.options());
  torch::Tensor y =
      torch::empty({shape.batch, shape.out, shape.pooled_height, shape.pooled_width}, x.options());
  convolve<<<blocks_for(z.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(), z.data_ptr<float>(),
      shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  relu_and_pool<<<blocks_for(y.numel()), kThreads, 0, stream>>>(z.data_ptr<float>(),
                                                                y.data_ptr<float>(), shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Convolution, ReLU and 2 x 2 max pooling");
}
