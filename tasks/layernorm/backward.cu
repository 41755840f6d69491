#include <vector>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Gradients of y = h weight + bias, where h = (x - mean) r and r = 1 / sqrt(var + eps):
//   dx = r (g weight - mean(g weight) - h mean(g weight h)),
//   dweight = sum over the batch of g h,  dbias = sum over the batch of g.
// A thread adds 4096 terms of a sample's means, and one thread a sample adds these sums.

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

// A thread for each block of a sample's features: the sums of its g weight and g weight h.
__global__ void add_blocks_of_gradients(const float* g, const float* x, const float* weight,
                                        const float* means, const float* scales,
                                        double* parts_of_gradients, double* parts_of_products,
                                        int batch, int features, int blocks) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * blocks) return;
  const int i = index / blocks;
  const int begin = index % blocks * kBlock;
  const int end = min(begin + kBlock, features);
  float part_of_gradients = 0.0f;
  float part_of_products = 0.0f;
  for (int j = begin; j < end; ++j) {
    const float gradient = g[i * features + j] * weight[j];
    part_of_gradients += gradient;
    part_of_products += gradient * ((x[i * features + j] - means[i]) * scales[i]);
  }
  parts_of_gradients[index] = part_of_gradients;
  parts_of_products[index] = part_of_products;
}

// A thread for each element.
__global__ void gradient_of_x(const float* g, const float* x, const float* weight,
                              const float* means, const float* scales, const float* mean_gradients,
                              const float* mean_products, float* dx, int batch, int features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * features) return;
  const int i = index / features;
  const int j = index % features;
  const float normalized = (x[index] - means[i]) * scales[i];
  dx[index] =
      scales[i] * (g[index] * weight[j] - mean_gradients[i] - normalized * mean_products[i]);
}

// A thread for each feature.
__global__ void gradients_of_parameters(const float* g, const float* x, const float* means,
                                        const float* scales, float* dweight, float* dbias,
                                        int batch, int features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= features) return;
  float products = 0.0f;
  float gradients = 0.0f;
  for (int i = 0; i < batch; ++i) {
    products += g[i * features + index] * ((x[i * features + index] - means[i]) * scales[i]);
    gradients += g[i * features + index];
  }
  dweight[index] = products;
  dbias[index] = gradients;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weight, torch::Tensor bias, double eps,
                                    std::vector<int64_t> normalized_shape) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(x);
  CHECK_INPUT(weight);
  CHECK_INPUT(bias);
  int features = 1;
  for (const int64_t size : normalized_shape) features *= size;
  TORCH_CHECK(features > 0 && weight.numel() == features && bias.numel() == features &&
                  x.numel() % features == 0,
              "weight and bias must have the shape of the normalized dimensions of x");
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  const int batch = x.numel() / features;
  const int blocks = (features + kBlock - 1) / kBlock;
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dweight = torch::empty_like(weight);
  torch::Tensor dbias = torch::empty_like(bias);
  torch::Tensor parts = torch::empty({2, batch, blocks}, x.options().dtype(torch::kFloat64));
  torch::Tensor of_samples = torch::empty({4, batch}, x.options());
  const float* g = grad_output.data_ptr<float>();
  const float* from = x.data_ptr<float>();
  const float* w = weight.data_ptr<float>();
  double* part = parts.data_ptr<double>();
  double* part_of_products = part + batch * blocks;
  float* mean = of_samples.data_ptr<float>();
  float* scale = mean + batch;
  float* mean_gradient = scale + batch;
  float* mean_product = mean_gradient + batch;
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
  add_blocks_of_gradients<<<blocks_for(batch * blocks), kThreads, 0, stream>>>(
      g, from, w, mean, scale, part, part_of_products, batch, features, blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  finish_means<<<blocks_for(batch), kThreads, 0, stream>>>(part, mean_gradient, batch, features,
                                                           blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  finish_means<<<blocks_for(batch), kThreads, 0, stream>>>(part_of_products, mean_product, batch,
                                                           features, blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_x<<<blocks_for(x.numel()), kThreads, 0, stream>>>(
      g, from, w, mean, scale, mean_gradient, mean_product, dx.data_ptr<float>(), batch, features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradients_of_parameters<<<blocks_for(features), kThreads, 0, stream>>>(
      g, from, mean, scale, dweight.data_ptr<float>(), dbias.data_ptr<float>(), batch, features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {dx, dweight, dbias};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of layer normalization");
}
