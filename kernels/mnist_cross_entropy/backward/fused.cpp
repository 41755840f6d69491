#include "../../common/cross_entropy.hpp"
#include "../../common/parallel.hpp"

#include <torch/extension.h>

// Gradient of the mean cross entropy: (softmax(x) - onehot(target)) * grad_output / batch, row by
// row, written once. The exponentials are computed twice, for the sum and for the result. Eight of
// them take less time than to write them, read them and write them scaled.

torch::Tensor backward(torch::Tensor grad_output, torch::Tensor predictions,
                       torch::Tensor targets) {
  CHECK_FLOAT_INPUT(grad_output);
  TORCH_CHECK(grad_output.numel() == 1, "grad_output must have one element");
  kernels::check_cross_entropy(predictions, targets);
  const int64_t batch = predictions.size(0);
  const int64_t classes = predictions.size(1);
  torch::Tensor dx = torch::empty_like(predictions);

  const int64_t* target = targets.data_ptr<int64_t>();
  const float* from = predictions.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  const float scale = *grad_output.data_ptr<float>() / static_cast<float>(batch);
  const int threads_used = kernels::threads_for(60.0 * batch * classes, batch);
  kernels::parallel(threads_used, [=](int thread, int threads) {
    const kernels::Range mine = kernels::share(batch, thread, threads);
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const float* row = from + i * classes;
      float* out = to + i * classes;
      const kernels::Softmax softmax = kernels::softmax_of(row, classes);
      const float factor = scale / softmax.sum;
      const auto gradient = [=](kernels::Vec x) {
        return kernels::exponential(x - softmax.max) * factor;
      };
      int64_t j = 0;
      for (; j + kernels::kLanes <= classes; j += kernels::kLanes) {
        kernels::store(out + j, gradient(kernels::load(row + j)));
      }
      if (j < classes && classes > kernels::kLanes) {
        // Eight that end with the row: some are written twice, with the same values.
        const int64_t last = classes - kernels::kLanes;
        kernels::store(out + last, gradient(kernels::load(row + last)));
      } else if (j < classes) {
        kernels::store_first(out, classes, gradient(kernels::load_first(row, classes, 0.0f)));
      }
      out[target[i]] -= scale;
    }
  });
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of the mean cross entropy (softmax recomputed)");
}
