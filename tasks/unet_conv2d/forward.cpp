#include <torch/extension.h>

// Two-dimensional convolution of an image with zeros around it:
//   y[n][o][h][w] = biases[o] + sum over c, i, j of
//                   weights[o][c][i][j] x[n][c][h stride + i - padding][w stride + j - padding].
// An input channel's terms are added before their sum goes into the whole one. So no sum has
// thousands of terms.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

struct Shape {
  int64_t batch;
  int64_t in;
  int64_t height;
  int64_t width;
  int64_t out;
  int64_t kernel_height;
  int64_t kernel_width;
  int64_t out_height;
  int64_t out_width;
};

void convolve(const float* x, const float* weights, const float* biases, float* y, const Shape& s,
              int64_t stride, int64_t padding) {
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.out; ++o) {
      for (int64_t h = 0; h < s.out_height; ++h) {
        for (int64_t w = 0; w < s.out_width; ++w) {
          float sum = biases[o];
          for (int64_t c = 0; c < s.in; ++c) {
            float part = 0.0f;
            for (int64_t i = 0; i < s.kernel_height; ++i) {
              for (int64_t j = 0; j < s.kernel_width; ++j) {
                const int64_t row = h * stride + i - padding;
                const int64_t column = w * stride + j - padding;
                if (row >= 0 && row < s.height && column >= 0 && column < s.width) {
                  part += x[((n * s.in + c) * s.height + row) * s.width + column] *
                          weights[((o * s.in + c) * s.kernel_height + i) * s.kernel_width + j];
                }
              }
            }
            sum += part;
          }
          y[((n * s.out + o) * s.out_height + h) * s.out_width + w] = sum;
        }
      }
    }
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases, int64_t stride,
                      int64_t padding) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  TORCH_CHECK(x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
              "x (batch, in, height, width) and weights (out, in, kh, kw) must agree in `in`");
  TORCH_CHECK(biases.numel() == weights.size(0), "biases must have one element per output channel");
  TORCH_CHECK(stride >= 1 && padding >= 0, "stride must be positive and padding not negative");
  const int64_t out_height = (x.size(2) + 2 * padding - weights.size(2)) / stride + 1;
  const int64_t out_width = (x.size(3) + 2 * padding - weights.size(3)) / stride + 1;
  TORCH_CHECK(
      x.size(2) + 2 * padding >= weights.size(2) && x.size(3) + 2 * padding >= weights.size(3),
      "the kernel must fit into the padded image");
  torch::Tensor y = torch::empty({x.size(0), weights.size(0), out_height, out_width}, x.options());
  const Shape shape{x.size(0),       x.size(1),       x.size(2),  x.size(3), weights.size(0),
                    weights.size(2), weights.size(3), out_height, out_width};
  convolve(x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(),
           y.data_ptr<float>(), shape, stride, padding);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Two-dimensional convolution");
}
