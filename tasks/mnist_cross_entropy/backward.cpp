#include <algorithm>
#include <cmath>

#include <torch/extension.h>

// Gradient of the mean cross entropy: (softmax(x) - one_hot(target)) grad_output / batch. The
// greatest x of a row is subtracted before exp, which would overflow otherwise.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

void gradient(const float* grad_output, const float* predictions, const int64_t* targets, float* dx,
              int64_t batch, int64_t classes) {
  const float scale = grad_output[0] / batch;
  for (int64_t i = 0; i < batch; ++i) {
    float greatest = predictions[i * classes];
    for (int64_t j = 0; j < classes; ++j) {
      greatest = std::max(greatest, predictions[i * classes + j]);
    }
    float sum = 0.0f;
    for (int64_t j = 0; j < classes; ++j) {
      sum += std::exp(predictions[i * classes + j] - greatest);
    }
    for (int64_t j = 0; j < classes; ++j) {
      const float softmax = std::exp(predictions[i * classes + j] - greatest) / sum;
      dx[i * classes + j] = (softmax - (j == targets[i] ? 1.0f : 0.0f)) * scale;
    }
  }
}

}  // namespace

torch::Tensor backward(torch::Tensor grad_output, torch::Tensor predictions,
                       torch::Tensor targets) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(predictions);
  TORCH_CHECK(targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
              "targets must be a contiguous int64 tensor");
  TORCH_CHECK(grad_output.numel() == 1, "grad_output must have one element");
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && targets.size(0) == predictions.size(0),
      "predictions must be (batch, classes) and targets (batch)");
  torch::Tensor dx = torch::empty_like(predictions);
  gradient(grad_output.data_ptr<float>(), predictions.data_ptr<float>(),
           targets.data_ptr<int64_t>(), dx.data_ptr<float>(), predictions.size(0),
           predictions.size(1));
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of the mean cross entropy");
}
