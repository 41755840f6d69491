#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// y = (x - mean) / sqrt(var + eps) * weight + bias. Mean and variance are those of one sample, over
// all of its features. A thread adds 4096 terms of them, and one a sample adds these sums.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block
constexpr int kBlock = 4096;   // features of a thread that adds

// Terms that are added in float32 before their sum goes into the whole one, which is a double.
// Equal values of x have equal squared distances from the mean. All additions of these round the
// same way, and 4096 such errors would exceed the limit.
constexpr int kMomentsBlock = 64;

// A thread for each block of a sample's features: the sum of its x.
__global__ void add_blocks(const float* x, double* parts, int batch, int features, int blocks) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * blocks) return;
  const int i = index / blocks;
  const int first = index % blocks * kBlock;
  const int last = min(first + kBlock, features);
  double sum = 0.0;
  for (int begin = first; begin < last; begin += kMomentsBlock) {
    const int end = min(begin + kMomentsBlock, last);
    float part = 0.0f;
    for (int j = begin; j < end; ++j) {
      part += x[i * features + j];
    }
    sum += part;
  }
  parts[index] = sum;
}

// A thread for each sample.
__global__ void finish_means(const double* parts, float* means, int batch, int features,
                             int blocks) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch) return;
  double sum = 0.0;
  for (int b = 0; b < blocks; ++b) {
    sum += parts[index * blocks + b];
  }
  means[index] = sum / features;
}

// A thread for each block of a sample's features: the sum of its (x - mean)^2.
__global__ void add_blocks_of_squares(const float* x, const float* means, double* parts, int batch,
                                      int features, int blocks) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * blocks) return;
  const int i = index / blocks;
  const int first = index % blocks * kBlock;
  const int last = min(first + kBlock, features);
  double sum = 0.0;
  for (int begin = first; begin < last; begin += kMomentsBlock) {
    const int end = min(begin + kMomentsBlock, last);
    float part = 0.0f;
    for (int j = begin; j < end; ++j) {
      const float distance = x[i * features + j] - means[i];
      part += distance * distance;
    }
    sum += part;
  }
  parts[index] = sum;
}

// A thread for each sample.
__global__ void finish_scales(const double* parts, float* scales, int batch, int features,
                              int blocks, double eps) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch) return;
  double squares = 0.0;
  for (int b = 0; b < blocks; ++b) {
    squares += parts[index * blocks + b];
  }
  scales[index] = 1.0 / sqrt(squares / features + eps);
}

// A thread for each element.
__global__ void normalize(const float* x, const float* weight, const float* bias,
                          const float* means, const float* scales, float* y, int batch,
                          int features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * features) return;
  const int i = index / features;
  const int j = index % features;
  y[index] = (x[index] - means[i]) * scales[i] * weight[j] + bias[j];
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  CHECK_INPUT(x);
  CHECK_INPUT(weight);
  CHECK_INPUT(bias);
  const int features = weight.numel();
  TORCH_CHECK(features > 0 && bias.numel() == features && x.numel() % features == 0,
              "weight and bias must have the shape of the normalized dimensions of x");
  const int batch = x.numel() / features;
  const int blocks = (features + kBlock - 1) / kBlock;
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = torch::empty_like(x);
  torch::Tensor parts = torch::empty({batch, blocks}, x.options().dtype(torch::kFloat64));
  torch::Tensor means = torch::empty({batch}, x.options());
  torch::Tensor scales = torch::empty({batch}, x.options());
  const float* from = x.data_ptr<float>();
  double* part = parts.data_ptr<double>();
  float* mean = means.data_ptr<float>();
  float* scale = scales.data_ptr<float>();
  add_blocks<<<blocks_for(batch * blocks), kThreads, 0, stream>>>(from, part, batch, features,
                                                                  blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  finish_means<<<blocks_for(batch), kThreads, 0, stream>>>(part, mean, batch, features, blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  add_blocks_of_squares<<<blocks_for(batch * blocks), kThreads, 0, stream>>>(
      from, mean, part, batch, features, blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  finish_scales<<<blocks_for(batch), kThreads, 0, stream>>>(part, scale, batch, features, blocks,
                                                            eps);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  normalize<<<blocks_for(x.numel()), kThreads, 0, stream>>>(from, weight.data_ptr<float>(),
                                                            bias.data_ptr<float>(), mean, scale,
                                                            y.data_ptr<float>(), batch, features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Layer normalization");
}
