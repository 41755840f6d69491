#include <cmath>
#include <vector>

#include "../../common/cross_entropy.hpp"
#include "../../common/parallel.hpp"

#include <torch/extension.h>

// Mean over the batch of log(sum_j e^(x_j - max)) + max - x_target. Rows are short, so a row goes
// through the registers eight classes at a time and leaves one number. Eager mode writes and reads
// the log-softmax of all classes in between. The rows' sums are each between 1 and the number of
// classes. Many of them are multiplied in double, and one logarithm is taken of the product. One
// logarithm per row would take as long as the rest of a row of ten classes.

namespace {

constexpr double kGreatestProduct = 1e250;  // times one more sum, still a double

}  // namespace

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  kernels::check_cross_entropy(predictions, targets);
  const int64_t batch = predictions.size(0);
  const int64_t classes = predictions.size(1);
  torch::Tensor loss = torch::empty({}, predictions.options());

  const float* from = predictions.data_ptr<float>();
  const int64_t* target = targets.data_ptr<int64_t>();
  const int threads_used = kernels::threads_for(40.0 * batch * classes, batch);
  std::vector<double> sums(threads_used);
  kernels::parallel(threads_used, [&](int thread, int threads) {
    const kernels::Range mine = kernels::share(batch, thread, threads);
    double sum = 0.0;
    double product = 1.0;
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const float* row = from + i * classes;
      const kernels::Softmax softmax = kernels::softmax_of(row, classes);
      sum += softmax.max - row[target[i]];
      product *= softmax.sum;
      if (!(product < kGreatestProduct)) {
        sum += std::log(product);
        product = 1.0;
      }
    }
    sums[thread] = sum + std::log(product);
  });
  double total = 0.0;
  for (const double sum : sums) total += sum;
  *loss.data_ptr<float>() = static_cast<float>(total / batch);
  return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Mean cross entropy (each row in registers)");
}
