#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/pool_window.hpp"

#include <torch/extension.h>

// 2 x 2 max pooling. Two input rows make one output row, in a loop that GCC turns into vector
// maxima and shuffles. Images and channels are one list of planes, split over threads by output
// rows.

torch::Tensor forward(torch::Tensor x) {
  CHECK_FLOAT_INPUT(x);
  TORCH_CHECK(x.dim() == 4, "x must be (batch, channels, height, width)");
  const int64_t planes = x.size(0) * x.size(1);
  const int64_t height = x.size(2);
  const int64_t width = x.size(3);
  TORCH_CHECK(height >= 2 && width >= 2, "height and width must be at least 2");
  const int64_t out_height = height / 2;
  const int64_t out_width = width / 2;
  torch::Tensor y = torch::empty({x.size(0), x.size(1), out_height, out_width}, x.options());

  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  const int64_t rows = planes * out_height;
  kernels::parallel(kernels::threads_for(10.0 * x.numel(), rows), [=](int thread, int threads) {
    const kernels::Range mine = kernels::share(rows, thread, threads);
    for (int64_t row = mine.begin; row < mine.end; ++row) {
      const float* upper = from + (row / out_height * height + row % out_height * 2) * width;
      const float* lower = upper + width;
      float* out = to + row * out_width;
#pragma omp simd
      for (int64_t j = 0; j < out_width; ++j) {
        out[j] = kernels::greater(kernels::greater(upper[2 * j], upper[2 * j + 1]),
                                  kernels::greater(lower[2 * j], lower[2 * j + 1]));
      }
    }
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "2 x 2 max pooling (vectorised along rows)");
}
