#include <torch/extension.h>

// y = max_pool2d(max(conv2d(x, weights) + biases, 0), 2). The convolution is written whole, and
// ReLU and the maximum of 2 x 2 windows are taken of it.

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
  int64_t out_height;  // of the convolution
  int64_t out_width;
  int64_t pooled_height;
  int64_t pooled_width;
};

void convolve(const float* x, const float* weights, const float* biases, float* z, const Shape& s) {
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.out; ++o) {
      for (int64_t h = 0; h < s.out_height; ++h) {
        for (int64_t w = 0; w < s.out_width; ++w) {
          float sum = biases[o];
          for (int64_t c = 0; c < s.in; ++c) {
            for (int64_t i = 0; i < s.kernel_height; ++i) {
              for (int64_t j = 0; j < s.kernel_width; ++j) {
                sum += x[((n * s.in + c) * s.height + h + i) * s.width + w + j] *
                       weights[((o * s.in + c) * s.kernel_height + i) * s.kernel_width + j];
              }
            }
          }
          z[((n * s.out + o) * s.out_height + h) * s.out_width + w] = sum;
        }
      }
    }
  }
}

void relu_and_pool(const float* z, float* y, const Shape& s) {
  for (int64_t p = 0; p < s.batch * s.out; ++p) {
    for (int64_t h = 0; h < s.pooled_height; ++h) {
      for (int64_t w = 0; w < s.pooled_width; ++w) {
        float greatest = 0.0f;
        for (int64_t i = 0; i < 2; ++i) {
          for (int64_t j = 0; j < 2; ++j) {
            const float value = z[(p * s.out_height + 2 * h + i) * s.out_width + 2 * w + j];
            greatest = value > greatest || value != value ? value : greatest;  // NaN wins
          }
        }
        y[(p * s.pooled_height + h) * s.pooled_width + w] = greatest;
      }
    }
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  TORCH_CHECK(x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
              "x (batch, in, height, width) and weights (out, in, kh, kw) must agree in `in`");
  TORCH_CHECK(biases.numel() == weights.size(0), "biases must have one element per output channel");
  TORCH_CHECK(x.size(2) > weights.size(2) && x.size(3) > weights.size(3),
              "the convolution must leave at least 2 x 2 to pool");
  const int64_t out_height = x.size(2) - weights.size(2) + 1;
  const int64_t out_width = x.size(3) - weights.size(3) + 1;
  const Shape shape{x.size(0),       x.size(1),       x.size(2),       x.size(3),
                    weights.size(0), weights.size(2), weights.size(3), out_height,
                    out_width,       out_height / 2,  out_width / 2};
  torch::Tensor z = torch::empty({shape.batch, shape.out, out_height, out_width}, x.options());
  torch::Tensor y =
      torch::empty({shape.batch, shape.out, shape.pooled_height, shape.pooled_width}, x.options());
  convolve(x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(),
           z.data_ptr<float>(), shape);
  relu_and_pool(z.data_ptr<float>(), y.data_ptr<float>(), shape);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Convolution, ReLU and 2 x 2 max pooling");
}
