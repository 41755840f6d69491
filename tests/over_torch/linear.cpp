#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <torch/extension.h>

// The kernel uses what shim headers lack: a TensorIterator and a function of torch::nn.

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  TORCH_CHECK(x.is_contiguous() && weights.is_contiguous(), "x and weights must be contiguous");
  const torch::Tensor products = torch::empty({x.size(0), weights.size(0)}, x.options());
  const int64_t in = x.size(1);
  const int64_t out = weights.size(0);
  const float* values = x.data_ptr<float>();
  const float* factors = weights.data_ptr<float>();
  float* sums = products.data_ptr<float>();
  at::parallel_for(0, products.numel(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double sum = 0;
      for (int64_t k = 0; k < in; ++k) {
        sum += double{values[i / out * in + k]} * factors[i % out * in + k];
      }
      sums[i] = static_cast<float>(sum);
    }
  });

  torch::Tensor y;
  at::TensorIterator iterator = at::TensorIteratorConfig()
                                    .add_output(y)
                                    .add_const_input(products)
                                    .add_const_input(biases)
                                    .build();
  iterator.for_each([](char** data, const int64_t* strides, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      *reinterpret_cast<float*>(data[0] + i * strides[0]) =
          *reinterpret_cast<float*>(data[1] + i * strides[1]) +
          *reinterpret_cast<float*>(data[2] + i * strides[2]);
    }
  });
  return iterator.output();
}

// Right, but for one element past the end of what it has from torch.
std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  const torch::Tensor temporary = torch::nn::functional::softplus(grad_output);
  temporary.data_ptr<float>()[temporary.numel()] = 0;
  return {at::mm(grad_output, weights), at::mm(grad_output.t(), x)};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, py::arg("x"), py::arg("weights"), py::arg("biases"));
  m.def("backward", &backward);
}
