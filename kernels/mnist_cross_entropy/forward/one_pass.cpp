#include <cmath>
#include <vector>

#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/softmax.hpp"

#include <torch/extension.h>

// Mean over the batch of log(sum_j e^(x_j - max)) + max - x_target. Rows are short, so a row goes
// through the registers eight classes at a time, its last eight filled with -infinity; nothing but
// one number per row leaves them. The loss is summed in double.

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  CHECK_FLOAT_INPUT(predictions);
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && targets.size(0) == predictions.size(0),
      "predictions must be (batch, classes) and targets (batch)");
  TORCH_CHECK(targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
              "targets must be a contiguous int64 tensor");
  const int64_t batch = predictions.size(0);
  const int64_t classes = predictions.size(1);
  torch::Tensor loss = torch::empty({}, predictions.options());

  const float* from = predictions.data_ptr<float>();
  const int64_t* target = targets.data_ptr<int64_t>();
  const int threads_used = kernels::threads_for(30.0 * batch * classes, batch);
  std::vector<double> sums(threads_used);
  std::vector<char> valid(threads_used);
  kernels::parallel(threads_used, [&](int thread, int threads) {
    const kernels::Range mine = kernels::share(batch, thread, threads);
    double sum = 0.0;
    bool all_valid = true;
    for (int64_t i = mine.begin; i < mine.end && all_valid; ++i) {
      all_valid = target[i] >= 0 && target[i] < classes;
      if (!all_valid) break;
      const float* row = from + i * classes;
      const kernels::Softmax softmax = kernels::softmax_of(row, classes);
      sum += std::log(softmax.sum) + (softmax.max - row[target[i]]);
    }
    sums[thread] = sum;
    valid[thread] = all_valid;
  });
  double total = 0.0;
  for (int thread = 0; thread < threads_used; ++thread) {
    TORCH_CHECK(valid[thread], "targets must lie in [0, ", classes, ")");
    total += sums[thread];
  }
  *loss.data_ptr<float>() = static_cast<float>(total / batch);
  return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Mean cross entropy (one pass, vectorised exponential)");
}
