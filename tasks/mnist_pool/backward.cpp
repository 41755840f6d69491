#include <torch/extension.h>

// Gradient of max pooling over 2 x 2 windows with stride 2. The greatest element of a window gets
// its gradient: the first of equals in reading order, or the last NaN. All else gets 0.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

void gradient(const float* x, const float* grad_output, float* dx, int64_t planes, int64_t height,
              int64_t width) {
  const int64_t out_height = height / 2;
  const int64_t out_width = width / 2;
  for (int64_t i = 0; i < planes * height * width; ++i) {
    dx[i] = 0.0f;
  }
  for (int64_t p = 0; p < planes; ++p) {
    for (int64_t h = 0; h < out_height; ++h) {
      for (int64_t w = 0; w < out_width; ++w) {
        int64_t winner = (p * height + 2 * h) * width + 2 * w;
        for (int64_t i = 0; i < 2; ++i) {
          for (int64_t j = 0; j < 2; ++j) {
            const int64_t at = (p * height + 2 * h + i) * width + 2 * w + j;
            winner = x[at] > x[winner] || x[at] != x[at] ? at : winner;
          }
        }
        dx[winner] = grad_output[(p * out_height + h) * out_width + w];
      }
    }
  }
}

}  // namespace

torch::Tensor backward(py::tuple saved, torch::Tensor grad_output) {
  TORCH_CHECK(saved.size() == 1, "saved must hold x alone");
  torch::Tensor x = saved[0].cast<torch::Tensor>();
  CHECK_INPUT(x);
  CHECK_INPUT(grad_output);
  TORCH_CHECK(x.dim() == 4, "x must be (batch, channels, height, width)");
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == x.size(0) &&
                  grad_output.size(1) == x.size(1) && grad_output.size(2) == x.size(2) / 2 &&
                  grad_output.size(3) == x.size(3) / 2,
              "grad_output must be (batch, channels, height / 2, width / 2)");
  torch::Tensor dx = torch::empty_like(x);
  gradient(x.data_ptr<float>(), grad_output.data_ptr<float>(), dx.data_ptr<float>(),
           x.size(0) * x.size(1), x.size(2), x.size(3));
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of 2 x 2 max pooling");
}
