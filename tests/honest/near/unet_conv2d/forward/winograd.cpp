#include "../../../../plain/convolution.hpp"

// Winograd's F(2 x 2, 3 x 3) in float32, for a stride of 1. All else is convolved plainly.

// Rows of B^T d, for the four elements of a column or row.
void transform(const float* d, int64_t step, float* to) {
  to[0] = d[0] - d[2 * step];
  to[step] = d[step] + d[2 * step];
  to[2 * step] = d[2 * step] - d[step];
  to[3 * step] = d[step] - d[3 * step];
}

// U = G g G^T of a filter of 3 x 3.
void transform_filter(const float* g, float* to) {
  float half[12];
  for (int j = 0; j < 3; ++j) {
    const float a = g[j];
    const float b = g[3 + j];
    const float c = g[6 + j];
    const float rows[4] = {a, 0.5f * (a + b + c), 0.5f * (a - b + c), c};
    for (int i = 0; i < 4; ++i) half[3 * i + j] = rows[i];
  }
  for (int i = 0; i < 4; ++i) {
    const float a = half[3 * i];
    const float b = half[3 * i + 1];
    const float c = half[3 * i + 2];
    const float columns[4] = {a, 0.5f * (a + b + c), 0.5f * (a - b + c), c};
    for (int j = 0; j < 4; ++j) to[4 * i + j] = columns[j];
  }
}

// V = B^T d B of the 4 x 4 elements from `row` and `column` on, 0 beyond the plane's edges.
void transform_tile(const float* plane, int64_t height, int64_t width, int64_t row, int64_t column,
                    float* to) {
  float tile[16];
  for (int i = 0; i < 16; ++i) {
    const int64_t r = row + i / 4;
    const int64_t c = column + i % 4;
    tile[i] = r < height && c < width ? plane[r * width + c] : 0.0f;
  }
  float half[16];
  for (int j = 0; j < 4; ++j) transform(tile + j, 4, half + j);
  for (int i = 0; i < 4; ++i) transform(half + 4 * i, 1, to + 4 * i);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases, int64_t stride,
                      int64_t padding) {
  const Convolution c = convolution_of(x, weights, stride, padding);
  if (c.kernel != 3 || stride != 1) {
    torch::Tensor y = convolve(c, x, weights);
    add_channel_biases(y, biases);
    return y;
  }
  const torch::Tensor planes = padded(c, x);
  const int64_t height = c.height + 2 * padding;
  const int64_t width = c.width + 2 * padding;
  std::vector<float> filters(c.out * c.in * 16);
  for (int64_t i = 0; i < c.out * c.in; ++i) {
    transform_filter(weights.data_ptr<float>() + 9 * i, &filters[16 * i]);
  }
  torch::Tensor y = torch::empty({c.batch, c.out, c.out_height(), c.out_width()}, x.options());
  std::vector<float> tiles(c.in * 16);
  for (int64_t image = 0; image < c.batch; ++image) {
    for (int64_t row = 0; row < c.out_height(); row += 2) {
      for (int64_t column = 0; column < c.out_width(); column += 2) {
        for (int64_t i = 0; i < c.in; ++i) {
          transform_tile(planes.data_ptr<float>() + (image * c.in + i) * height * width, height,
                         width, row, column, &tiles[16 * i]);
        }
        for (int64_t o = 0; o < c.out; ++o) {
          float m[16] = {};
          for (int64_t i = 0; i < c.in; ++i) {
            const float* filter = &filters[16 * (o * c.in + i)];
            for (int at = 0; at < 16; ++at) m[at] += filter[at] * tiles[16 * i + at];
          }
          float half[8];
          for (int j = 0; j < 4; ++j) {
            half[j] = m[j] + m[4 + j] + m[8 + j];
            half[4 + j] = m[4 + j] - m[8 + j] - m[12 + j];
          }
          for (int64_t r = 0; r < 2 && row + r < c.out_height(); ++r) {
            float* to = y.data_ptr<float>() +
                        ((image * c.out + o) * c.out_height() + row + r) * c.out_width() + column;
            const float* h = half + 4 * r;
            to[0] = h[0] + h[1] + h[2] + biases.data_ptr<float>()[o];
            if (column + 1 < c.out_width()) {
              to[1] = h[1] - h[2] - h[3] + biases.data_ptr<float>()[o];
            }
          }
        }
      }
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
