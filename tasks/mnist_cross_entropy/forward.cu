#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// The mean over the batch of log(sum over j of exp(x_j)) - x_target. The greatest x of a row is
// subtracted before exp, which would overflow otherwise.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

// Samples that are added before their sum goes into the whole one. Where all samples have the same
// loss, every addition rounds the same way, and 4096 such errors would exceed the limit.
constexpr int kBlock = 64;

// A thread for each sample.
__global__ void losses_of_samples(const float* predictions, const int64_t* targets, float* losses,
                                  int batch, int classes) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch) return;
  float greatest = predictions[index * classes];
  for (int j = 0; j < classes; ++j) {
    greatest = fmaxf(greatest, predictions[index * classes + j]);
  }
  float sum = 0.0f;
  for (int j = 0; j < classes; ++j) {
    sum += expf(predictions[index * classes + j] - greatest);
  }
  losses[index] = logf(sum) - (predictions[index * classes + targets[index]] - greatest);
}

// A thread for each block of samples.
__global__ void add_blocks(const float* losses, float* parts, int batch, int blocks) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= blocks) return;
  const int begin = index * kBlock;
  const int end = min(begin + kBlock, batch);
  float part = 0.0f;
  for (int i = begin; i < end; ++i) {
    part += losses[i];
  }
  parts[index] = part;
}

// One thread.
__global__ void finish_mean(const float* parts, float* loss, int batch, int blocks) {
  float total = 0.0f;
  for (int b = 0; b < blocks; ++b) {
    total += parts[b];
  }
  loss[0] = total / batch;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  CHECK_INPUT(predictions);
  TORCH_CHECK(
      targets.is_cuda() && targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
      "targets must be a contiguous int64 tensor on a GPU");
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && targets.size(0) == predictions.size(0),
      "predictions must be (batch, classes) and targets (batch)");
  const int batch = predictions.size(0);
  const int classes = predictions.size(1);
  TORCH_CHECK(batch > 0 && classes > 0, "the mean of no samples is not defined");
  const int blocks = (batch + kBlock - 1) / kBlock;
  const c10::cuda::CUDAGuard guard(predictions.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor loss = torch::empty({}, predictions.options());
  torch::Tensor losses = torch::empty({batch}, predictions.options());
  torch::Tensor parts = torch::empty({blocks}, predictions.options());
  losses_of_samples<<<blocks_for(batch), kThreads, 0, stream>>>(
      predictions.data_ptr<float>(), targets.data_ptr<int64_t>(), losses.data_ptr<float>(), batch,
      classes);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  add_blocks<<<blocks_for(blocks), kThreads, 0, stream>>>(losses.data_ptr<float>(),
                                                          parts.data_ptr<float>(), batch, blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  finish_mean<<<1, 1, 0, stream>>>(parts.data_ptr<float>(), loss.data_ptr<float>(), batch, blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Mean cross entropy");
}
