#include <vector>

#include <torch/extension.h>

// Gradients of max_pool2d(max(conv2d(x, weights) + biases, 0), 2). The convolution z is computed
// again, and its gradient g is that of a window where z is the window's greatest and positive, and
// 0 elsewhere. Then, with sums over all indices that stand on the right alone:
//   dx[n][c][h][w] = sum of g[n][o][h - i][w - j] weights[o][c][i][j]
//   dw[o][c][i][j] = sum of g[n][o][h][w] x[n][c][h + i][w + j],  db[o] = sum of g[n][o][h][w].
// The terms of an image are added before their sum goes into dw and db. So no sum has much more
// than 4096 terms.

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

// The first of equals in reading order is the greatest, or the last NaN.
void gradient_of_z(const float* z, const float* grad_output, float* g, const Shape& s) {
  for (int64_t i = 0; i < s.batch * s.out * s.out_height * s.out_width; ++i) {
    g[i] = 0.0f;
  }
  for (int64_t p = 0; p < s.batch * s.out; ++p) {
    for (int64_t h = 0; h < s.pooled_height; ++h) {
      for (int64_t w = 0; w < s.pooled_width; ++w) {
        int64_t winner = (p * s.out_height + 2 * h) * s.out_width + 2 * w;
        for (int64_t i = 0; i < 2; ++i) {
          for (int64_t j = 0; j < 2; ++j) {
            const int64_t at = (p * s.out_height + 2 * h + i) * s.out_width + 2 * w + j;
            winner = z[at] > z[winner] || z[at] != z[at] ? at : winner;
          }
        }
        if (z[winner] > 0.0f) {
          g[winner] = grad_output[(p * s.pooled_height + h) * s.pooled_width + w];
        }
      }
    }
  }
}

void gradient_of_x(const float* g, const float* weights, float* dx, const Shape& s) {
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t c = 0; c < s.in; ++c) {
      for (int64_t h = 0; h < s.height; ++h) {
        for (int64_t w = 0; w < s.width; ++w) {
          float sum = 0.0f;
          for (int64_t o = 0; o < s.out; ++o) {
            for (int64_t i = 0; i < s.kernel_height; ++i) {
              for (int64_t j = 0; j < s.kernel_width; ++j) {
                const int64_t row = h - i;
                const int64_t column = w - j;
                if (row >= 0 && row < s.out_height && column >= 0 && column < s.out_width) {
                  sum += g[((n * s.out + o) * s.out_height + row) * s.out_width + column] *
                         weights[((o * s.in + c) * s.kernel_height + i) * s.kernel_width + j];
                }
              }
            }
          }
          dx[((n * s.in + c) * s.height + h) * s.width + w] = sum;
        }
      }
    }
  }
}

void gradient_of_weights(const float* g, const float* x, float* dw, const Shape& s) {
  for (int64_t o = 0; o < s.out; ++o) {
    for (int64_t c = 0; c < s.in; ++c) {
      for (int64_t i = 0; i < s.kernel_height; ++i) {
        for (int64_t j = 0; j < s.kernel_width; ++j) {
          float sum = 0.0f;
          for (int64_t n = 0; n < s.batch; ++n) {
            float part = 0.0f;
            for (int64_t h = 0; h < s.out_height; ++h) {
              for (int64_t w = 0; w < s.out_width; ++w) {
                part += g[((n * s.out + o) * s.out_height + h) * s.out_width + w] *
                        x[((n * s.in + c) * s.height + h + i) * s.width + w + j];
              }
            }
            sum += part;
          }
          dw[((o * s.in + c) * s.kernel_height + i) * s.kernel_width + j] = sum;
        }
      }
    }
  }
}

void gradient_of_biases(const float* g, float* db, const Shape& s) {
  for (int64_t o = 0; o < s.out; ++o) {
    float sum = 0.0f;
    for (int64_t n = 0; n < s.batch; ++n) {
      float part = 0.0f;
      for (int64_t i = 0; i < s.out_height * s.out_width; ++i) {
        part += g[(n * s.out + o) * s.out_height * s.out_width + i];
      }
      sum += part;
    }
    db[o] = sum;
  }
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases,
                                    torch::Tensor grad_output) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  CHECK_INPUT(grad_output);
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
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == shape.batch &&
                  grad_output.size(1) == shape.out && grad_output.size(2) == shape.pooled_height &&
                  grad_output.size(3) == shape.pooled_width,
              "grad_output must be (batch, out, pooled height, pooled width)");
  torch::Tensor z = torch::empty({shape.batch, shape.out, out_height, out_width}, x.options());
  torch::Tensor dz = torch::empty_like(z);
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(weights);
  torch::Tensor db = torch::empty_like(biases);
  float* g = dz.data_ptr<float>();
  convolve(x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(),
           z.data_ptr<float>(), shape);
  gradient_of_z(z.data_ptr<float>(), grad_output.data_ptr<float>(), g, shape);
  gradient_of_x(g, weights.data_ptr<float>(), dx.data_ptr<float>(), shape);
  gradient_of_weights(g, x.data_ptr<float>(), dw.data_ptr<float>(), shape);
  gradient_of_biases(g, db.data_ptr<float>(), shape);
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of convolution, ReLU and 2 x 2 max pooling");
}
