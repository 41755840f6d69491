#include <algorithm>
#include <vector>

#include "../../common/check.hpp"
#include "../../common/dot.hpp"
#include "../../common/flat_conv.hpp"
#include "../../common/sums.hpp"

#include <torch/extension.h>

// Gradients of max_pool2d(relu(conv2d(x, w) + b), 2). The convolution is computed again, six output
// channels of a strip at a time, and pooled gradients are routed from the first-level cache into
// planes g of the input's pitch that are 0 wherever no gradient flows. On those planes, flat as in
// common/flat_conv.hpp, both remaining gradients are dense and regular:
//   dx[p] = sum over (oc, ky, kx) of w g[p - (ky, kx)]: the forward product with other offsets; the
//           zeros at the end of each row and plane are the padding that it needs;
//   dw[oc][k] = dot(g[oc], x moved by the offset of k), over a whole plane at a time.
// dw is split over threads by output channel, so nothing has to be summed across threads.

namespace {

constexpr int64_t kStrip = 512;  // about so many positions per strip

// Where a window's gradient goes: to its greatest element, the first of equals in reading order, if
// that survives the ReLU. Written without branches, which would be mispredicted.
void route_row(const float* __restrict upper, const float* __restrict lower, float bias,
               const float* __restrict grad, int64_t count, float* __restrict upper_g,
               float* __restrict lower_g) {
#pragma omp simd
  for (int64_t j = 0; j < count; ++j) {
    float greatest = upper[2 * j];
    const bool second = upper[2 * j + 1] > greatest;
    greatest = second ? upper[2 * j + 1] : greatest;
    const bool third = lower[2 * j] > greatest;
    greatest = third ? lower[2 * j] : greatest;
    const bool fourth = lower[2 * j + 1] > greatest;
    greatest = fourth ? lower[2 * j + 1] : greatest;
    const float value = greatest + bias > 0.0f ? grad[j] : 0.0f;
    upper_g[2 * j] = !second & !third & !fourth ? value : 0.0f;
    upper_g[2 * j + 1] = second & !third & !fourth ? value : 0.0f;
    lower_g[2 * j] = third & !fourth ? value : 0.0f;
    lower_g[2 * j + 1] = fourth ? value : 0.0f;
  }
}

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
  const kernels::FlatConv conv{x.size(1),       x.size(2), x.size(3), weights.size(2),
                               weights.size(3), 1,         0};
  const int64_t batch = x.size(0);
  const int64_t in = x.size(1);
  const int64_t out = weights.size(0);
  const int64_t window = weights.size(2) * weights.size(3);
  const int64_t depth = conv.depth();
  const int64_t pitch = conv.pitch();
  const int64_t plane = conv.height * pitch;
  const int64_t pooled_height = conv.out_height() / 2;
  const int64_t pooled_width = conv.out_width() / 2;
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == batch &&
                  grad_output.size(1) == out && grad_output.size(2) == pooled_height &&
                  grad_output.size(3) == pooled_width,
              "grad_output must be (batch, out, pooled height, pooled width)");
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(weights);
  torch::Tensor db = torch::empty_like(biases);

  // g of an image: zeros that stand for the plane before the first one, `out` planes, and what a
  // tile of 16 reads beyond them.
  const int64_t before = (conv.kernel_height - 1) * pitch + conv.kernel_width - 1;
  const int64_t g_size = before + out * plane + kernels::kTileColumns;
  torch::Tensor routed = torch::empty({batch, g_size}, x.options());
  torch::Tensor laid_out = torch::empty({batch, conv.planes_size()}, x.options());
  torch::Tensor turned = torch::empty({in, out * window}, x.options());
  std::vector<int64_t> offsets(depth);
  conv.offsets(offsets.data());
  std::vector<int64_t> back_offsets(out * window);
  for (int64_t k = 0; k < out * window; ++k) {
    back_offsets[k] = before + k / window * plane - offsets[k % window];
  }

  const float* image = x.data_ptr<float>();
  const float* weight = weights.data_ptr<float>();
  const float* bias = biases.data_ptr<float>();
  const float* grad = grad_output.data_ptr<float>();
  float* planes = laid_out.data_ptr<float>();
  float* g = routed.data_ptr<float>();
  float* weight_for_dx = turned.data_ptr<float>();
  float* to_x = dx.data_ptr<float>();
  float* to_w = dw.data_ptr<float>();
  float* to_b = db.data_ptr<float>();
  const int64_t positions = (conv.out_height() - 1) * pitch + conv.out_width();
  const int64_t pairs_per_strip = std::max<int64_t>(1, kStrip / (2 * pitch));
  const int64_t strip = kernels::round_up(pairs_per_strip * 2 * pitch);
  const int64_t tiles = kernels::channel_tiles(out);
  const double work = 6.0 * batch * out * depth * positions;
  kernels::parallel(kernels::threads_for(work), [&](int thread, int threads) {
    const kernels::Range inputs = kernels::share(batch * in, thread, threads);
    for (int64_t i = inputs.begin; i < inputs.end; ++i) {
      conv.fill(image + i / in * in * plane, i % in, planes + i / in * conv.planes_size());
    }
    const kernels::Range turns = kernels::share(in * out, thread, threads);
    for (int64_t i = turns.begin; i < turns.end; ++i) {
      const float* from = weight + (i % out * in + i / out) * window;
      std::copy(from, from + window, weight_for_dx + i * window);
    }
    const kernels::Range zeros = kernels::share(batch * g_size, thread, threads);
    std::fill(g + zeros.begin, g + zeros.end, 0.0f);
#pragma omp barrier
    std::vector<float> sums(kernels::kTileRows * strip);
    const kernels::Range routes = kernels::share(batch * tiles, thread, threads);
    for (int64_t item = routes.begin; item < routes.end; ++item) {
      const kernels::Range channels = kernels::share(out, item % tiles, tiles);
      const int64_t n = item / tiles;
      for (int64_t first = 0; first < pooled_height; first += pairs_per_strip) {
        const int64_t last = std::min(first + pairs_per_strip, pooled_height);
        kernels::convolve(
            weight + channels.begin * depth, channels.end - channels.begin, offsets.data(), depth,
            planes + n * conv.planes_size() + first * 2 * pitch,
            (last - first) * 2 * pitch - (pitch - 2 * pooled_width), sums.data(), strip);
        for (int64_t c = channels.begin; c < channels.end; ++c) {
          for (int64_t row = first; row < last; ++row) {
            const float* upper =
                sums.data() + (c - channels.begin) * strip + (row - first) * 2 * pitch;
            float* upper_g = g + n * g_size + before + c * plane + row * 2 * pitch;
            route_row(upper, upper + pitch, bias[c],
                      grad + ((n * out + c) * pooled_height + row) * pooled_width, pooled_width,
                      upper_g, upper_g + pitch);
          }
        }
      }
    }
#pragma omp barrier
    const int64_t strips = (plane + strip - 1) / strip;
    const int64_t in_tiles = kernels::channel_tiles(in);
    const kernels::Range backs = kernels::share(batch * strips * in_tiles, thread, threads);
    for (int64_t item = backs.begin; item < backs.end; ++item) {
      const kernels::Range channels = kernels::share(in, item % in_tiles, in_tiles);
      const int64_t first = item / in_tiles % strips * strip;
      const int64_t count = std::min(strip, plane - first);
      const int64_t n = item / in_tiles / strips;
      kernels::convolve(weight_for_dx + channels.begin * out * window,
                        channels.end - channels.begin, back_offsets.data(), out * window,
                        g + n * g_size + first, count, sums.data(), strip);
      for (int64_t c = channels.begin; c < channels.end; ++c) {
        const float* sum = sums.data() + (c - channels.begin) * strip;
        std::copy(sum, sum + count, to_x + (n * in + c) * plane + first);
      }
    }
    const kernels::Range outs = kernels::share(out, thread, threads);
    if (batch == 0) std::fill(to_w + outs.begin * depth, to_w + outs.end * depth, 0.0f);
    for (int64_t n = 0; n < batch; ++n) {
      const float* g_planes = g + n * g_size + before + outs.begin * plane;
      const float* x_planes = planes + n * conv.planes_size();
      kernels::dot_products([=](int64_t i) { return g_planes + i * plane; }, outs.end - outs.begin,
                            [=, &offsets](int64_t j) { return x_planes + offsets[j]; }, depth,
                            positions, to_w + outs.begin * depth, depth, n > 0);
    }
    for (int64_t c = outs.begin; c < outs.end; ++c) {
      double total = 0.0;
      for (int64_t n = 0; n < batch; ++n) {
        const float* from = g + n * g_size + before + c * plane;
        total += kernels::sum_over<1>(plane, [from](int64_t j) {
                   return kernels::Sums<1>{{from[j]}};
                 }).of[0];
      }
      to_b[c] = static_cast<float>(total);
    }
  });
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of convolution, ReLU and 2 x 2 max pooling");
}
