#include <torch/extension.h>

// A linear layer with an adjustable time, for benchmarks/power.cpp. CYCLES_PER_ROW is the number of
// clock cycles for a row of x. LAUNCH_CYCLES is the time of an empty kernel. The sum of both is
// multiplied by SLOWER.

namespace {

constexpr int threads = 256;

__global__ void linear(const float* x, const float* weights, const float* biases, float* y,
                       int rows, int inputs, int outputs, long long cycles) {
  const long long begin = clock64();
  const int at = blockIdx.x * threads + threadIdx.x;
  if (at < rows * outputs) {
    const int row = at / outputs;
    const int output = at % outputs;
    float sum = biases[output];
    for (int i = 0; i < inputs; ++i) sum += x[row * inputs + i] * weights[output * inputs + i];
    y[at] = sum;
  }
  while (clock64() - begin < cycles) {
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const int rows = x.size(0);
  const int inputs = x.size(1);
  const int outputs = weights.size(0);
  auto y = torch::empty({rows, outputs}, x.options());
  const double cycles = rows * CYCLES_PER_ROW * SLOWER + LAUNCH_CYCLES * (SLOWER - 1);
  const int blocks = (rows * outputs + threads - 1) / threads;
  linear<<<blocks, threads>>>(x.data_ptr<float>(), weights.data_ptr<float>(),
                              biases.data_ptr<float>(), y.data_ptr<float>(), rows, inputs, outputs,
                              static_cast<long long>(cycles));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
