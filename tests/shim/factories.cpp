#include <torch/extension.h>

// Every way to a new tensor that needs no operator of torch.

std::vector<at::Tensor> made(const at::Tensor& x) {
  const auto options = torch::TensorOptions().dtype(torch::kFloat32).device(x.device());
  at::Tensor empty = at::empty({2, 3}, options);
  empty.fill_(7);
  at::Tensor like = torch::empty_like(x);
  like.zero_();
  return {empty,
          like,
          torch::zeros({2, 2}, x.options()),
          torch::ones({3}, torch::kInt64),
          at::full({2}, 1.5, x.options().dtype(at::kDouble)),
          torch::zeros_like(x),
          at::ones_like(x),
          torch::full_like(x, 3),
          x.new_zeros({2}),
          x.new_full({1, 2}, 4),
          torch::tensor({1.0F, 2.0F}),
          torch::zeros({}, torch::device(torch::kCPU).dtype(torch::kBool))};
}

// Layouts: dense tensors keep theirs, channels_last on request.
std::vector<at::Tensor> layouts(const at::Tensor& x) {
  return {at::empty_like(x.transpose(0, 1)).zero_(), at::zeros_like(x.transpose(0, 2)),
          at::zeros({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast),
          x.transpose(0, 2).clone(), x.transpose(0, 2).clone(at::MemoryFormat::Contiguous)};
}

// Conversions of 0, 1, ... 5 plus a half, there and back.
std::vector<at::Tensor> converted(const at::Tensor& x) {
  at::Tensor copy = torch::empty({2, 3}, torch::kFloat64);
  copy.copy_(x);
  return {x.to(torch::kInt32),
          x.to(at::kHalf),
          x.to(torch::kBFloat16),
          x.to(at::kHalf).to(at::kFloat),
          x.to(at::kBool),
          x.to(torch::TensorOptions().dtype(torch::kUInt8)),
          copy,
          x.t().to(torch::kInt64),
          x.to(x.device(), at::kChar),
          x.clone()};
}

std::vector<double> items(const at::Tensor& x) {
  const at::Tensor number = torch::full({1}, 41, torch::kLong);
  return {x.select(0, 0).select(0, 1).item<float>(), static_cast<double>(number.item<int64_t>()),
          number.item().toDouble() + 1, static_cast<double>(x.to(at::kInt)[1][2].item<int>())};
}

std::tuple<int64_t, int64_t, int64_t, int64_t, bool, bool, int64_t, int64_t, bool> facts(
    const at::Tensor& x) {
  const at::Tensor none;
  const bool same = x.sizes() == at::IntArrayRef({2, 3}) && x.dtype() == torch::kFloat32 &&
                    x.scalar_type() == at::ScalarType::Float && !none.defined() && !x.is_cuda() &&
                    x.device().is_cpu() && x.device() == torch::Device("cpu") &&
                    x.strides().vec() == std::vector<int64_t>{3, 1} && x.is_floating_point() &&
                    x.type().scalarType() == at::kFloat && !x.type().is_cuda() &&
                    x.storage_offset() == 0 && x.get_device() == -1;
  return {x.dim(),
          x.size(-1),
          x.stride(0),
          x.numel(),
          x.is_contiguous(),
          x.t().is_contiguous(),
          static_cast<int64_t>(x.nbytes()),
          x.itemsize(),
          same};
}

// Memory of the kernel's own: the harness must see what it held when the kernel returned.
at::Tensor borrowed_memory(const at::Tensor& x) {
  static float numbers[6];
  for (int i = 0; i < 6; ++i) numbers[i] = x.data_ptr<float>()[i] * 2;
  return torch::from_blob(numbers, {2, 3}, torch::kFloat);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("made", &made);
  m.def("layouts", &layouts);
  m.def("converted", &converted);
  m.def("items", &items);
  m.def("facts", &facts);
  m.def("borrowed_memory", &borrowed_memory);
}
