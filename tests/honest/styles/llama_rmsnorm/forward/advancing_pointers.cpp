#include <cmath>

#include <torch/extension.h>

// Has no index: pointers advance from one element to the next.

torch::Tensor forward(torch::Tensor x, torch::Tensor w, double eps) {
  torch::Tensor y = torch::empty_like(x);
  const int features = w.size(0);
  const float* const weights_end = w.data_ptr<float>() + features;
  const float* const x_end = x.data_ptr<float>() + x.numel();
  float* to = y.data_ptr<float>();
  for (const float* token = x.data_ptr<float>(); token != x_end; token += features) {
    float mean_square = 0.0f;
    for (const float* p = token; p != token + features; p++) mean_square += *p * *p;
    mean_square /= features;
    const float rms = sqrtf(mean_square + eps);
    const float* from = token;
    const float* weight = w.data_ptr<float>();
    do {
      *to++ = *from++ / rms * *weight++;
    } while (weight != weights_end);
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
