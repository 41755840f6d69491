#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

// Tensors on the GPU as the host handles them. x is 1, 2, ... 6 in 2 x 3.

using at::IntArrayRef;

std::vector<at::Tensor> made(const at::Tensor& x) {
  const auto options = torch::TensorOptions().dtype(torch::kFloat32).device(x.device());
  at::Tensor empty = at::empty({2, x.size(1)}, options);
  empty.fill_(7);
  at::Tensor like = torch::empty_like(x);
  like.zero_();
  return {empty,
          like,
          torch::zeros({2, 2}, x.options()),
          at::zeros_like(x),
          torch::ones({3}, options.dtype(torch::kInt32)),
          at::full({2}, 1.5, x.options().dtype(at::kDouble)),
          torch::full_like(x, 3),
          torch::arange(4, x.options()),
          at::zeros(IntArrayRef{1, 2}, x.options().dtype(torch::kInt64)),
          x.new_full({1, 2}, 4)};
}

// Views share memory, and the GPU copies tensors that are no views.
std::vector<at::Tensor> reshaped(at::Tensor x) {
  const bool dense = x.is_contiguous();
  x = x.contiguous();
  at::Tensor copy = at::empty({3, 2}, x.options());
  copy.copy_(x.t());
  TORCH_CHECK(dense && x.dim() == 2 && x.stride(0) == 3 && x.strides() == IntArrayRef({3, 1}));
  return {x.view({x.numel()}),
          x.reshape({3, 2}),
          x.transpose(0, 1),
          x.t().contiguous(),
          x.t().reshape({-1}),
          x.clone(),
          x[1],
          copy};
}

// Converts to other element types and devices, and back.
std::vector<at::Tensor> converted(const at::Tensor& x) {
  const at::Tensor on_host = x.cpu();
  TORCH_CHECK(on_host.is_cpu() && on_host.data_ptr<float>()[5] == 6, "the host has no copy");
  return {x.to(at::kHalf),     x.to(at::kHalf).to(at::kFloat), x.to(torch::kInt64),
          x.to(at::kBFloat16), on_host.to(x.device()),         x.to(at::kDouble)};
}

std::vector<double> items(const at::Tensor& x) {
  const at::Tensor number = torch::full({1}, 41, x.options().dtype(torch::kLong));
  return {x[1][2].item<float>(), static_cast<double>(number.item<int64_t>()),
          number.item().toDouble() + 1, x.sum().item<float>()};
}

std::vector<at::Tensor> operators(const at::Tensor& x) {
  return {x * x,
          x - x,
          x + 1.5,
          x / 2.0f,
          (x * x).rsqrt(),
          x.sum(),
          x.mean({1}),
          at::matmul(x, x.t()),
          x.mm(x.t()),
          torch::linear(x, x),
          at::conv2d(x.view({1, 1, 2, 3}), at::ones({1, 1, 2, 2}, x.options()), {}, 1, 0, 1, 1)};
}

// Memory of the kernel's own: the harness must see what it held when the kernel returned.
at::Tensor borrowed_memory(const at::Tensor& x) {
  static void* memory = nullptr;
  if (memory == nullptr) C10_CUDA_CHECK(cudaMalloc(&memory, x.nbytes()));
  C10_CUDA_CHECK(cudaMemcpyAsync(memory, x.data_ptr(), x.nbytes(), cudaMemcpyDeviceToDevice,
                                 at::cuda::getCurrentCUDAStream()));
  return torch::from_blob(memory, {2, 3}, x.options());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("made", &made);
  m.def("reshaped", &reshaped);
  m.def("converted", &converted);
  m.def("items", &items);
  m.def("operators", &operators);
  m.def("borrowed_memory", &borrowed_memory);
}
