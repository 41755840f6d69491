#include <algorithm>
#include <cmath>

#include <torch/extension.h>

// y = (x - mean) / sqrt(var + eps) * weight + bias. Mean and variance are those of one sample, over
// all of its features.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

// Terms that are added in float32 before their sum goes into the whole one, which is a double.
// Equal values of x have equal squared distances from the mean. All additions of these round the
// same way, and 4096 such errors would exceed the limit.
constexpr int64_t kBlock = 64;

void layer_norm(const float* x, const float* weight, const float* bias, float* y, int64_t batch,
                int64_t features, double eps) {
  for (int64_t i = 0; i < batch; ++i) {
    double sum = 0.0;
    for (int64_t begin = 0; begin < features; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, features);
      float part = 0.0f;
      for (int64_t j = begin; j < end; ++j) {
        part += x[i * features + j];
      }
      sum += part;
    }
    const float mean = sum / features;

    double squares = 0.0;
    for (int64_t begin = 0; begin < features; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, features);
      float part = 0.0f;
      for (int64_t j = begin; j < end; ++j) {
        const float distance = x[i * features + j] - mean;
        part += distance * distance;
      }
      squares += part;
    }
    const float scale = 1.0 / std::sqrt(squares / features + eps);

    for (int64_t j = 0; j < features; ++j) {
      y[i * features + j] = (x[i * features + j] - mean) * scale * weight[j] + bias[j];
    }
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  CHECK_INPUT(x);
  CHECK_INPUT(weight);
  CHECK_INPUT(bias);
  const int64_t features = weight.numel();
  TORCH_CHECK(features > 0 && bias.numel() == features && x.numel() % features == 0,
              "weight and bias must have the shape of the normalized dimensions of x");
  torch::Tensor y = torch::empty_like(x);
  layer_norm(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
             y.data_ptr<float>(), x.numel() / features, features, eps);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Layer normalization");
}
