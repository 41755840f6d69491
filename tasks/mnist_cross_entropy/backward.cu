#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Gradient of the mean cross entropy: (softmax(x) - one_hot(target)) grad_output / batch. The
// greatest x of a row is subtracted before exp, which would overflow otherwise.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

// A thread for each sample.
__global__ void gradient(const float* grad_output, const float* predictions, const int64_t* targets,
                         float* dx, int batch, int classes) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch) return;
  const float scale = grad_output[0] / batch;
  float greatest = predictions[index * classes];
  for (int j = 0; j < classes; ++j) {
    greatest = fmaxf(greatest, predictions[index * classes + j]);
  }
  float sum = 0.0f;
  for (int j = 0; j < classes; ++j) {
    sum += expf(predictions[index * classes + j] - greatest);
  }
  for (int j = 0; j < classes; ++j) {
    const float softmax = expf(predictions[index * classes + j] - greatest) / sum;
    dx[index * classes + j] = (softmax - (j == targets[index] ? 1.0f : 0.0f)) * scale;
  }
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor backward(torch::Tensor grad_output, torch::Tensor predictions,
                       torch::Tensor targets) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(predictions);
  TORCH_CHECK(
      targets.is_cuda() && targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
      "targets must be a contiguous int64 tensor on a GPU");
  TORCH_CHECK(grad_output.numel() == 1, "grad_output must have one element");
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && targets.size(0) == predictions.size(0),
      "predictions must be (batch, classes) and targets (batch)");
  const int batch = predictions.size(0);
  const int classes = predictions.size(1);
  const c10::cuda::CUDAGuard guard(predictions.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::empty_like(predictions);
  gradient<<<blocks_for(batch), kThreads, 0, stream>>>(
      grad_output.data_ptr<float>(), predictions.data_ptr<float>(), targets.data_ptr<int64_t>(),
      dx.data_ptr<float>(), batch, classes);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of the mean cross entropy");
}
