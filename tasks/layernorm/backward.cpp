#include <algorithm>
#include <cmath>
#include <vector>

#include <torch/extension.h>

// Gradients of y = h weight + bias, where h = (x - mean) r and r = 1 / sqrt(var + eps):
//   dx = r (g weight - mean(g weight) - h mean(g weight h)),
//   dweight = sum over the batch of g h,  dbias = sum over the batch of g.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

constexpr int64_t kBlock = 4096;  // terms that are added before their sum goes into the whole one

// Terms that are added in float32 before their sum goes into the whole one, which is a double.
// Equal values of x have equal squared distances from the mean. All additions of these round the
// same way, and 4096 such errors would exceed the limit.
constexpr int64_t kMomentsBlock = 64;

// Writes the mean and r of each sample.
void moments(const float* x, float* means, float* scales, int64_t batch, int64_t features,
             double eps) {
  for (int64_t i = 0; i < batch; ++i) {
    double sum = 0.0;
    for (int64_t begin = 0; begin < features; begin += kMomentsBlock) {
      const int64_t end = std::min(begin + kMomentsBlock, features);
      float part = 0.0f;
      for (int64_t j = begin; j < end; ++j) {
        part += x[i * features + j];
      }
      sum += part;
    }
    const float mean = sum / features;

    double squares = 0.0;
    for (int64_t begin = 0; begin < features; begin += kMomentsBlock) {
      const int64_t end = std::min(begin + kMomentsBlock, features);
      float part = 0.0f;
      for (int64_t j = begin; j < end; ++j) {
        const float distance = x[i * features + j] - mean;
        part += distance * distance;
      }
      squares += part;
    }
    means[i] = mean;
    scales[i] = 1.0 / std::sqrt(squares / features + eps);
  }
}

void gradient_of_x(const float* g, const float* x, const float* weight, const float* means,
                   const float* scales, float* dx, int64_t batch, int64_t features) {
  for (int64_t i = 0; i < batch; ++i) {
    const float mean = means[i];
    const float scale = scales[i];
    float gradients = 0.0f;
    float products = 0.0f;
    for (int64_t begin = 0; begin < features; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, features);
      float part_of_gradients = 0.0f;
      float part_of_products = 0.0f;
      for (int64_t j = begin; j < end; ++j) {
        const float gradient = g[i * features + j] * weight[j];
        part_of_gradients += gradient;
        part_of_products += gradient * ((x[i * features + j] - mean) * scale);
      }
      gradients += part_of_gradients;
      products += part_of_products;
    }
    const float mean_gradient = gradients / features;
    const float mean_product = products / features;
    for (int64_t j = 0; j < features; ++j) {
      const float normalized = (x[i * features + j] - mean) * scale;
      dx[i * features + j] =
          scale * (g[i * features + j] * weight[j] - mean_gradient - normalized * mean_product);
    }
  }
}

void gradients_of_parameters(const float* g, const float* x, const float* means,
                             const float* scales, float* dweight, float* dbias, int64_t batch,
                             int64_t features) {
  for (int64_t j = 0; j < features; ++j) {
    float products = 0.0f;
    float gradients = 0.0f;
    for (int64_t i = 0; i < batch; ++i) {
      products += g[i * features + j] * ((x[i * features + j] - means[i]) * scales[i]);
      gradients += g[i * features + j];
    }
    dweight[j] = products;
    dbias[j] = gradients;
  }
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weight, torch::Tensor bias, double eps,
                                    std::vector<int64_t> normalized_shape) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(x);
  CHECK_INPUT(weight);
  CHECK_INPUT(bias);
  int64_t features = 1;
  for (const int64_t size : normalized_shape) features *= size;
  TORCH_CHECK(features > 0 && weight.numel() == features && x.numel() % features == 0,
              "weight must have the shape of the normalized dimensions of x");
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  const int64_t batch = x.numel() / features;
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dweight = torch::empty_like(weight);
  torch::Tensor dbias = torch::empty_like(bias);
  torch::Tensor means = torch::empty({batch}, x.options());
  torch::Tensor scales = torch::empty({batch}, x.options());
  const float* g = grad_output.data_ptr<float>();
  const float* from = x.data_ptr<float>();
  float* mean = means.data_ptr<float>();
  float* scale = scales.data_ptr<float>();
  moments(from, mean, scale, batch, features, eps);
  gradient_of_x(g, from, weight.data_ptr<float>(), mean, scale, dx.data_ptr<float>(), batch,
                features);
  gradients_of_parameters(g, from, mean, scale, dweight.data_ptr<float>(), dbias.data_ptr<float>(),
                          batch, features);
  return {dx, dweight, dbias};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of layer normalization");
}
