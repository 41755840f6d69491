#include <algorithm>
#include <vector>

#include "../../common/check.hpp"
#include "../../common/dot.hpp"
#include "../../common/flat_conv.hpp"
#include "../../common/pool_window.hpp"
#include "../../common/sums.hpp"

#include <torch/extension.h>

// Gradients of max_pool2d(relu(conv2d(x, w) + b), 2). The convolution is computed again, six output
// channels of a strip at a time. Pooled gradients are routed from the first-level cache into planes
// g of the input's pitch. These planes are 0 wherever no gradient flows. On them, flat as in
// common/flat_conv.hpp, both remaining gradients are dense and regular:
//   dx[p] = sum over (oc, ky, kx) of w g[p - (ky, kx)]
//   dw[oc][k] = dot(g[oc], x moved by the offset of k), over a whole plane at a time
// dx is the forward product with other offsets. The zeros at the end of each row and plane are the
// padding that it needs. dw is split over threads by output channel, so nothing has to be summed
// across threads.

namespace {

constexpr int64_t kStrip = 512;  // about so many positions per strip

struct Gradient {
  kernels::FlatConv conv;
  int64_t batch;
  int64_t out;
  const float* x;
  const float* weight;
  const float* bias;
  const float* grad;
  float* dx;
  float* dw;
  float* db;
  float* planes = nullptr;  // x, laid out
  // Per image: before() zeros, `out` planes, and what a tile of 16 reads beyond them.
  float* g = nullptr;
  float* dx_weight = nullptr;  // weight with (out, in) turned to (in, out)
  std::vector<int64_t> offsets = {};
  std::vector<int64_t> dx_offsets = {};

  int64_t in() const { return conv.channels; }
  int64_t depth() const { return conv.depth(); }
  int64_t window() const { return conv.kernel_height * conv.kernel_width; }
  int64_t pitch() const { return conv.pitch(); }
  int64_t plane() const { return conv.height * pitch(); }
  int64_t positions() const { return (conv.out_height() - 1) * pitch() + conv.out_width(); }
  int64_t pooled_height() const { return conv.out_height() / 2; }
  int64_t pooled_width() const { return conv.out_width() / 2; }
  int64_t before() const { return (conv.kernel_height - 1) * pitch() + conv.kernel_width - 1; }
  int64_t g_size() const { return before() + out * plane() + kernels::kTileColumns; }
  int64_t pairs_per_strip() const { return std::max<int64_t>(1, kStrip / (2 * pitch())); }
  int64_t strip() const { return kernels::round_up(pairs_per_strip() * 2 * pitch()); }

  void prepare(int thread, int threads) const {
    const kernels::Range inputs = kernels::share(batch * in(), thread, threads);
    for (int64_t i = inputs.begin; i < inputs.end; ++i) {
      conv.fill(x + i / in() * in() * plane(), i % in(), planes + i / in() * conv.planes_size());
    }
    const kernels::Range turns = kernels::share(in() * out, thread, threads);
    for (int64_t i = turns.begin; i < turns.end; ++i) {
      const float* from = weight + (i % out * in() + i / out) * window();
      std::copy(from, from + window(), dx_weight + i * window());
    }
    const kernels::Range zeros = kernels::share(batch * g_size(), thread, threads);
    std::fill(g + zeros.begin, g + zeros.end, 0.0f);
  }

  // Output channels of an image, all strips; `alive` takes a row of the gradients that pass the
  // ReLU.
  void route(int64_t image, kernels::Range channels, float* sums, float* alive) const {
    for (int64_t first = 0; first < pooled_height(); first += pairs_per_strip()) {
      const int64_t last = std::min(first + pairs_per_strip(), pooled_height());
      kernels::convolve(
          weight + channels.begin * depth(), channels.end - channels.begin, offsets.data(), depth(),
          planes + image * conv.planes_size() + first * 2 * pitch(),
          (last - first) * 2 * pitch() - (pitch() - 2 * pooled_width()), sums, strip());
      for (int64_t c = channels.begin; c < channels.end; ++c) {
        for (int64_t row = first; row < last; ++row) {
          const float* upper = sums + (c - channels.begin) * strip() + (row - first) * 2 * pitch();
          const float* from = grad + ((image * out + c) * pooled_height() + row) * pooled_width();
          float* to = g + image * g_size() + before() + c * plane() + row * 2 * pitch();
          for (int64_t j = 0; j < pooled_width(); ++j) {
            const float greatest = kernels::greater(
                kernels::greater(upper[2 * j], upper[2 * j + 1]),
                kernels::greater(upper[pitch() + 2 * j], upper[pitch() + 2 * j + 1]));
            alive[j] = greatest + bias[c] > 0.0f ? from[j] : 0.0f;
          }
          kernels::route_row(upper, upper + pitch(), alive, pooled_width(), to, to + pitch());
        }
      }
    }
  }

  // Input channels of an image, positions [first, first + strip()).
  void to_x(int64_t image, kernels::Range channels, int64_t first, float* sums) const {
    const int64_t count = std::min(strip(), plane() - first);
    kernels::convolve(dx_weight + channels.begin * out * window(), channels.end - channels.begin,
                      dx_offsets.data(), out * window(), g + image * g_size() + first, count, sums,
                      strip());
    for (int64_t c = channels.begin; c < channels.end; ++c) {
      const float* sum = sums + (c - channels.begin) * strip();
      std::copy(sum, sum + count, dx + (image * in() + c) * plane() + first);
    }
  }

  // Output channels, summed over all images.
  void to_parameters(kernels::Range channels) const {
    std::fill(dw + channels.begin * depth(), dw + channels.end * depth(), 0.0f);
    for (int64_t image = 0; image < batch; ++image) {
      const float* left = g + image * g_size() + before() + channels.begin * plane();
      const float* right = planes + image * conv.planes_size();
      kernels::dot_products(kernels::StridedRows{left, plane()}, channels.end - channels.begin,
                            kernels::OffsetRows{right, offsets.data()}, depth(), positions(),
                            dw + channels.begin * depth(), depth(), true);
    }
    for (int64_t c = channels.begin; c < channels.end; ++c) {
      double total = 0.0;
      for (int64_t image = 0; image < batch; ++image) {
        const float* from = g + image * g_size() + before() + c * plane();
        const auto sum = kernels::sum_over<1>(
            plane(), [from](const auto& read) { return kernels::terms(read(from)); });
        total += sum.of[0];
      }
      db[c] = static_cast<float>(total);
    }
  }

  void run(int thread, int threads) const {
    prepare(thread, threads);
#pragma omp barrier
    std::vector<float> sums(kernels::kTileRows * strip());
    std::vector<float> alive(pooled_width());
    const int64_t tiles = kernels::channel_tiles(out);
    const kernels::Range routes = kernels::share(batch * tiles, thread, threads);
    for (int64_t i = routes.begin; i < routes.end; ++i) {
      route(i / tiles, kernels::share(out, i % tiles, tiles), sums.data(), alive.data());
    }
#pragma omp barrier
    const int64_t in_tiles = kernels::channel_tiles(in());
    const int64_t strips = (plane() + strip() - 1) / strip();
    const kernels::Range backs = kernels::share(batch * strips * in_tiles, thread, threads);
    for (int64_t i = backs.begin; i < backs.end; ++i) {
      to_x(i / in_tiles / strips, kernels::share(in(), i % in_tiles, in_tiles),
           i / in_tiles % strips * strip(), sums.data());
    }
    to_parameters(kernels::share(out, thread, threads));
  }
};

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases,
                                    torch::Tensor grad_output) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weights);
  CHECK_FLOAT_INPUT(biases);
  CHECK_FLOAT_INPUT(grad_output);
  TORCH_CHECK(x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
              "x (batch, in, height, width) and weights (out, in, kh, kw) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per output channel");
  TORCH_CHECK(x.size(2) > weights.size(2) && x.size(3) > weights.size(3),
              "the convolution must leave at least 2 x 2 to pool");
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(weights);
  torch::Tensor db = torch::empty_like(biases);
  Gradient gradient{{x.size(1), x.size(2), x.size(3), weights.size(2), weights.size(3), 1, 0},
                    x.size(0),
                    weights.size(0),
                    x.data_ptr<float>(),
                    weights.data_ptr<float>(),
                    biases.data_ptr<float>(),
                    grad_output.data_ptr<float>(),
                    dx.data_ptr<float>(),
                    dw.data_ptr<float>(),
                    db.data_ptr<float>()};
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == gradient.batch &&
                  grad_output.size(1) == gradient.out &&
                  grad_output.size(2) == gradient.pooled_height() &&
                  grad_output.size(3) == gradient.pooled_width(),
              "grad_output must be (batch, out, pooled height, pooled width)");

  torch::Tensor laid_out = torch::empty({gradient.batch, gradient.conv.planes_size()}, x.options());
  torch::Tensor routed = torch::empty({gradient.batch, gradient.g_size()}, x.options());
  torch::Tensor turned =
      torch::empty({gradient.in(), gradient.out, gradient.window()}, x.options());
  gradient.planes = laid_out.data_ptr<float>();
  gradient.g = routed.data_ptr<float>();
  gradient.dx_weight = turned.data_ptr<float>();
  gradient.offsets.resize(gradient.depth());
  gradient.conv.offsets(gradient.offsets.data());
  for (int64_t k = 0; k < gradient.out * gradient.window(); ++k) {
    gradient.dx_offsets.push_back(gradient.before() + k / gradient.window() * gradient.plane() -
                                  gradient.offsets[k % gradient.window()]);
  }
  const double work = 6.0 * gradient.batch * gradient.out * gradient.depth() * gradient.positions();
  kernels::parallel(kernels::threads_for(work),
                    [&](int thread, int threads) { gradient.run(thread, threads); });
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of convolution, ReLU and 2 x 2 max pooling");
}
