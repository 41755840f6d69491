#include <cmath>
#include <limits>

#include <torch/extension.h>

// Everything is a lambda: what is added, what adds it, and over what. Sums are halved down to a few
// terms.

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  auto loss = torch::empty({}, predictions.options());
  const auto* logits = predictions.data_ptr<float>();
  const auto* classes = targets.data_ptr<int64_t>();
  const auto rows = predictions.size(0);
  const auto columns = predictions.size(1);

  const auto fold = [](auto begin, auto end, auto start, auto step) {
    auto value = start;
    for (auto i = begin; i < end; ++i) value = step(value, i);
    return value;
  };
  const auto loss_of = [&](auto row) {
    const auto logit = [&](auto column) { return logits[row * columns + column]; };
    const auto greatest =
        fold(0, columns, -std::numeric_limits<float>::infinity(),
             [&](auto so_far, auto j) { return logit(j) > so_far ? logit(j) : so_far; });
    const auto sum = fold(0, columns, 0.0f, [&](auto so_far, auto j) {
      return so_far + std::exp(logit(j) - greatest);
    });
    return std::log(sum) + (greatest - logit(classes[row]));
  };
  const auto total = [&](const auto& self, int64_t begin, int64_t end) -> float {
    if (end - begin <= 16) {
      return fold(begin, end, 0.0f, [&](auto so_far, auto row) { return so_far + loss_of(row); });
    }
    const auto middle = begin + (end - begin) / 2;
    return self(self, begin, middle) + self(self, middle, end);
  };
  *loss.data_ptr<float>() = total(total, 0, rows) / rows;
  return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
