#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/softmax.hpp"

#include <torch/extension.h>

// Gradient of the mean cross entropy: (softmax(x) - onehot(target)) * grad_output / batch, written
// once. The exponentials are computed twice rather than stored and read again: eight of them cost
// less than two passes over a row that eager makes for log-softmax and for the gather.

torch::Tensor backward(torch::Tensor grad_output, torch::Tensor predictions,
                       torch::Tensor targets) {
  CHECK_FLOAT_INPUT(grad_output);
  CHECK_FLOAT_INPUT(predictions);
  TORCH_CHECK(grad_output.numel() == 1, "grad_output must have one element");
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && targets.size(0) == predictions.size(0),
      "predictions must be (batch, classes) and targets (batch)");
  TORCH_CHECK(targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
              "targets must be a contiguous int64 tensor");
  const int64_t batch = predictions.size(0);
  const int64_t classes = predictions.size(1);
  const int64_t* target = targets.data_ptr<int64_t>();
  for (int64_t i = 0; i < batch; ++i) {
    TORCH_CHECK(target[i] >= 0 && target[i] < classes, "targets must lie in [0, ", classes, ")");
  }
  torch::Tensor dx = torch::empty_like(predictions);

  const float* from = predictions.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  const float scale = *grad_output.data_ptr<float>() / static_cast<float>(batch);
  const int threads_used = kernels::threads_for(30.0 * batch * classes, batch);
  kernels::parallel(threads_used, [=](int thread, int threads) {
    const kernels::Range mine = kernels::share(batch, thread, threads);
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const float* row = from + i * classes;
      float* out = to + i * classes;
      const kernels::Softmax softmax = kernels::softmax_of(row, classes);
      const float factor = scale / softmax.sum;
      kernels::for_eights(row, classes, 0.0f, [=](int64_t j, kernels::Vec x, int64_t width) {
        const kernels::Vec gradient = kernels::exponential(x - softmax.max) * factor;
        if (width == kernels::kLanes) {
          kernels::store(out + j, gradient);
        } else {
          kernels::store_first(out + j, width, gradient);
        }
      });
      out[target[i]] -= scale;
    }
  });
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of the mean cross entropy (softmax recomputed)");
}
