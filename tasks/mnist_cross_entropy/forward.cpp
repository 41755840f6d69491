#include <algorithm>
#include <cmath>

#include <torch/extension.h>

// The mean over the batch of log(sum over j of exp(x_j)) - x_target. The greatest x of a row is
// subtracted before exp, which would overflow otherwise.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

// Samples that are added before their sum goes into the whole one. Where all samples have the same
// loss, every addition rounds the same way, and 4096 such errors would exceed the limit.
constexpr int64_t kBlock = 64;

void cross_entropy(const float* predictions, const int64_t* targets, float* loss, int64_t batch,
                   int64_t classes) {
  float total = 0.0f;
  for (int64_t begin = 0; begin < batch; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, batch);
    float part = 0.0f;
    for (int64_t i = begin; i < end; ++i) {
      float greatest = predictions[i * classes];
      for (int64_t j = 0; j < classes; ++j) {
        greatest = std::max(greatest, predictions[i * classes + j]);
      }
      float sum = 0.0f;
      for (int64_t j = 0; j < classes; ++j) {
        sum += std::exp(predictions[i * classes + j] - greatest);
      }
      part += std::log(sum) - (predictions[i * classes + targets[i]] - greatest);
    }
    total += part;
  }
  loss[0] = total / batch;
}

}  // namespace

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  CHECK_INPUT(predictions);
  TORCH_CHECK(targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
              "targets must be a contiguous int64 tensor");
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && targets.size(0) == predictions.size(0),
      "predictions must be (batch, classes) and targets (batch)");
  const int64_t batch = predictions.size(0);
  const int64_t classes = predictions.size(1);
  TORCH_CHECK(batch > 0 && classes > 0, "the mean of no samples is not defined");
  torch::Tensor loss = torch::empty({}, predictions.options());
  cross_entropy(predictions.data_ptr<float>(), targets.data_ptr<int64_t>(), loss.data_ptr<float>(),
                batch, classes);
  return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Mean cross entropy");
}
