// Every header that kernels include for the CPU, and torch's names under each of its namespaces.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <ATen/ATen.h>
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/Functions.h>
#include <ATen/NumericUtils.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/Tensor.h>
#include <ATen/TensorUtils.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/cuda/CUDAMathCompat.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>
#include <c10/util/Optional.h>
#include <torch/all.h>
#include <torch/extension.h>
#include <torch/python.h>
#include <torch/types.h>

using namespace at;
using namespace torch;
namespace py = pybind11;

static_assert(std::is_same_v<at::Tensor, torch::Tensor>);
static_assert(std::is_same_v<c10::optional<int>, std::optional<int>>);
static_assert(std::is_same_v<at::acc_type<float, true>, float>);
static_assert(std::is_same_v<at::opmath_type<at::Half>, float>);
static_assert(c10::CppTypeToScalarType<float>::value == torch::kFloat32);

static Tensor forward(Tensor x, at::Tensor y = at::Tensor()) {
  torch::NoGradGuard no_grad;
  c10::IntArrayRef sizes = x.sizes();
  std::string device = x.device().str() + std::to_string(std::min(sizes[0], sizes[1]));
  std::printf("%s\n", device.c_str());
  return y.defined() ? y : x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "does nothing", py::arg("x"), py::arg("y") = at::Tensor());
}
