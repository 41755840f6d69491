#include <cmath>

#include <torch/extension.h>

// Layer normalization that reads its input once, with the variance as E[x^2] - E[x]^2. On inputs
// around 0 it is right to the last digits of float32. Around 100 the difference of two large
// numbers leaves none of them. `rkb demo` shows that this is found.

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  const int64_t features = weight.numel();
  torch::Tensor y = torch::empty_like(x);
  const float* in = x.data_ptr<float>();
  float* out = y.data_ptr<float>();
  for (int64_t i = 0; i < x.numel() / features; ++i, in += features, out += features) {
    float sum = 0.0f;
    float squares = 0.0f;
    for (int64_t j = 0; j < features; ++j) {
      sum += in[j];
      squares += in[j] * in[j];
    }
    const float mean = sum / features;
    const float scale = 1.0f / std::sqrt(squares / features - mean * mean + eps);
    for (int64_t j = 0; j < features; ++j) {
      out[j] = (in[j] - mean) * scale * weight.data_ptr<float>()[j] + bias.data_ptr<float>()[j];
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Layer normalization in one pass");
}
