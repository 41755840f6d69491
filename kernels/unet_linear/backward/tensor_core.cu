#include <vector>

#include "../../common/cuda/linear.cuh"

// Gradients of y = x w^T + b over the last dimension, with all others as rows:
//   dx = g w,  dw = g^T x,  db = column sums of g.
// dx and dw are made on the tensor cores. dw is small and sums over many rows, so the rows are cut
// into slices that occupy the GPU. The slices' results are added in a fixed order.

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  CHECK_CUDA_FLOAT(grad_output);
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weights);
  TORCH_CHECK(x.dim() >= 1 && weights.dim() == 2 && x.size(-1) == weights.size(1),
              "x (..., in) and weights (out, in) must agree in `in`");
  const int in = weights.size(1);
  const int rows = x.numel() / in;
  const int out = weights.size(0);
  TORCH_CHECK(grad_output.dim() == x.dim() && grad_output.size(-1) == out &&
                  grad_output.numel() == static_cast<int64_t>(rows) * out,
              "grad_output must be (..., out)");

  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(weights);
  torch::Tensor db = torch::empty({out}, x.options());
  const kernels::LinearGradients gradients{grad_output.data_ptr<float>(),
                                           x.data_ptr<float>(),
                                           weights.data_ptr<float>(),
                                           dx.data_ptr<float>(),
                                           dw.data_ptr<float>(),
                                           db.data_ptr<float>(),
                                           rows,
                                           in,
                                           out};
  gradients.run(x.options(), at::cuda::getCurrentCUDAStream());
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of a linear layer over the last dimension (3xTF32)");
}
