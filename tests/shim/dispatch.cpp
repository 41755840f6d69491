#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <c10/util/Half.h>
#include <torch/extension.h>

// Element types chosen at run time, 16-bit floats, accessors and threads.

at::Tensor twice(const at::Tensor& x) {
  at::Tensor y = at::empty_like(x);
  AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "twice", ([&] {
                               const scalar_t* from = x.data_ptr<scalar_t>();
                               scalar_t* to = y.data_ptr<scalar_t>();
                               for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] + from[i];
                             }));
  return y;
}

std::vector<int64_t> bytes(const at::Tensor& x) {
  const auto floating = AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "bytes", [&]() -> int64_t {
    return static_cast<int64_t>(sizeof(scalar_t));
  });
  const auto with_half =
      AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.to(torch::kHalf).scalar_type(), "bytes",
                                          [&] { return static_cast<int64_t>(sizeof(scalar_t)); });
  const auto index = AT_DISPATCH_INDEX_TYPES(torch::kLong, "bytes",
                                             [&] { return static_cast<int64_t>(sizeof(index_t)); });
  const auto switched =
      AT_DISPATCH_SWITCH(x.scalar_type(), "bytes", AT_DISPATCH_CASE(at::kFloat, [&] {
                           return int64_t{1};
                         }) AT_DISPATCH_CASE(at::kDouble, [&] { return int64_t{2}; }));
  return {floating, with_half, index, switched};
}

at::Tensor half_arithmetic(const at::Tensor& x) {
  at::Tensor y = at::empty_like(x);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const at::Half a = x.data_ptr<float>()[i];
    const c10::BFloat16 b = 2.0F;
    at::Half c = a * a + a - at::Half(1.0F);
    c += a;
    c = c > a ? c : -a;
    y.data_ptr<float>()[i] = c / 2 + static_cast<float>(b);
  }
  return y;
}

at::Tensor transposed(const at::Tensor& x) {
  at::Tensor y = at::empty({x.size(1), x.size(0)}, x.options());
  const auto from = x.accessor<float, 2>();
  auto to = y.packed_accessor32<float, 2, torch::RestrictPtrTraits>();
  const auto wide = x.packed_accessor64<float, 2>();
  for (int64_t i = 0; i < from.size(0); ++i) {
    for (int64_t j = 0; j < from.size(1); ++j) to[j][i] = (from[i][j] + wide[i][j]) / 2;
  }
  return y;
}

at::Tensor squares(const at::Tensor& x) {
  at::Tensor y = at::zeros_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  at::parallel_for(0, x.numel(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] += from[i] * from[i];
  });
  TORCH_CHECK(at::get_num_threads() >= 1 && !at::in_parallel_region());
  return y;
}

at::Tensor thrown_in_parallel(const at::Tensor& x) {
  at::parallel_for(0, 4, 1,
                   [&](int64_t begin, int64_t) { TORCH_CHECK(begin != 0, "chunk of 0 refused"); });
  return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("twice", &twice);
  m.def("bytes", &bytes);
  m.def("half_arithmetic", &half_arithmetic);
  m.def("transposed", &transposed);
  m.def("squares", &squares);
  m.def("thrown_in_parallel", &thrown_in_parallel);
}
