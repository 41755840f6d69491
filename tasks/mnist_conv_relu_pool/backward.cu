#include <vector>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Gradients of max_pool2d(max(conv2d(x, weights) + biases, 0), 2). The convolution z is computed
// again, and its gradient g is that of a window where z is the window's greatest and positive, and
// 0 elsewhere. Then, with sums over all indices that stand on the right alone:
//   dx[n][c][h][w] = sum of g[n][o][h - i][w - j] weights[o][c][i][j]
//   dw[o][c][i][j] = sum of g[n][o][h][w] x[n][c][h + i][w + j],  db[o] = sum of g[n][o][h][w].
// A thread adds the terms of one image, and another one the sums of all images. So no sum has much
// more than 4096 terms.

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

// A thread for each window. g is 0 before. The first of equals in reading order is the greatest, or
// the last NaN.
__global__ void gradient_of_z(const float* z, const float* grad_output, float* g, Shape s) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= s.batch * s.out * s.pooled_height * s.pooled_width) return;
  const int p = index / (s.pooled_height * s.pooled_width);
  const int h = index / s.pooled_width % s.pooled_height;
  const int w = index % s.pooled_width;
  int winner = (p * s.out_height + 2 * h) * s.out_width + 2 * w;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const int at = (p * s.out_height + 2 * h + i) * s.out_width + 2 * w + j;
      winner = z[at] > z[winner] || z[at] != z[at] ? at : winner;
    }
  }
  if (z[winner] > 0.0f) {
    g[winner] = grad_output[index];
  }
}

// A thread for each element of dx.
__global__ void gradient_of_x(const float* g, const float* weights, float* dx, Shape s) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= s.batch * s.in * s.height * s.width) return;
  const int n = index / (s.in * s.height * s.width);
  const int c = index / (s.height * s.width) % s.in;
  const int h = index / s.width % s.height;
  const int w = index % s.width;
  float sum = 0.0f;
  for (int o = 0; o < s.out; ++o) {
    for (int i = 0; i < s.kernel_height; ++i) {
      for (int j = 0; j < s.kernel_width; ++j) {
        const int row = h - i;
        const int column = w - j;
        if (row >= 0 && row < s.out_height && column >= 0 && column < s.out_width) {
          sum += g[((n * s.out + o) * s.out_height + row) * s.out_width + column] *
                 weights[((o * s.in + c) * s.kernel_height + i) * s.kernel_width + j];
        }
      }
    }
  }
  dx[index] = sum;
}

// A thread for each image and element of dw.
__global__ void gradient_of_weights(const float* g, const float* x, float* parts, Shape s) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  const int weights = s.out * s.in * s.kernel_height * s.kernel_width;
  if (index >= s.batch * weights) return;
  const int n = index / weights;
  const int o = index / (s.in * s.kernel_height * s.kernel_width) % s.out;
  const int c = index / (s.kernel_height * s.kernel_width) % s.in;
  const int i = index / s.kernel_width % s.kernel_height;
  const int j = index % s.kernel_width;
  float part = 0.0f;
  for (int h = 0; h < s.out_height; ++h) {
    for (int w = 0; w < s.out_width; ++w) {
      part += g[((n * s.out + o) * s.out_height + h) * s.out_width + w] *
              x[((n * s.in + c) * s.height + h + i) * s.width + w + j];
    }
  }
  parts[index] = part;
}

// A thread for each image and element of db.
__global__ void gradient_of_biases(const float* g, float* parts, Shape s) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= s.batch * s.out) return;
  float part = 0.0f;
  for (int i = 0; i < s.out_height * s.out_width; ++i) {
    part += g[index * s.out_height * s.out_width + i];
  }
  parts[index] = part;
}

// A thread for each of `count` elements, whose parts are those of the images.
__global__ void add_images(const float* parts, float* sums, int batch, int count) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= count) return;
  float sum = 0.0f;
  for (int n = 0; n < batch; ++n) {
    sum += parts[n * count + index];
  }
  sums[index] = sum;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases,
                                    torch::Tensor grad_output) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  CHECK_INPUT(grad_output);
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
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == shape.batch &&
                  grad_output.size(1) == shape.out && grad_output.size(2) == shape.pooled_height &&
                  grad_output.size(3) == shape.pooled_width,
              "grad_output must be (batch, out, pooled height, pooled width)");
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor z =
      torch::empty({shape.batch, shape.out, shape.out_height, shape.out_width}, x.options());
  torch::Tensor dz = torch::zeros_like(z);
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(weights);
  torch::Tensor db = torch::empty_like(biases);
  torch::Tensor parts_of_dw = torch::empty({shape.batch, weights.numel()}, x.options());
  torch::Tensor parts_of_db = torch::empty({shape.batch, shape.out}, x.options());
  float* g = dz.data_ptr<float>();
  convolve<<<blocks_for(z.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(), z.data_ptr<float>(),
      shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_z<<<blocks_for(grad_output.numel()), kThreads, 0, stream>>>(
      z.data_ptr<float>(), grad_output.data_ptr<float>(), g, shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_x<<<blocks_for(dx.numel()), kThreads, 0, stream>>>(g, weights.data_ptr<float>(),
                                                                 dx.data_ptr<float>(), shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_weights<<<blocks_for(parts_of_dw.numel()), kThreads, 0, stream>>>(
      g, x.data_ptr<float>(), parts_of_dw.data_ptr<float>(), shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  add_images<<<blocks_for(dw.numel()), kThreads, 0, stream>>>(
      parts_of_dw.data_ptr<float>(), dw.data_ptr<float>(), shape.batch, dw.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_biases<<<blocks_for(parts_of_db.numel()), kThreads, 0, stream>>>(
      g, parts_of_db.data_ptr<float>(), shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  add_images<<<blocks_for(db.numel()), kThreads, 0, stream>>>(
      parts_of_db.data_ptr<float>(), db.data_ptr<float>(), shape.batch, db.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of convolution, ReLU and 2 x 2 max pooling");
}
