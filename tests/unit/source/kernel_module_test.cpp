#include "source/kernel_module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(std::string_view source) {
  std::vector<std::string> names;
  for (const FreeFunction& function : free_functions(source)) names.push_back(function.name);
  return names;
}

TEST(KernelModule, FindsTheFunctionsThatAModuleCouldCall) {
  EXPECT_THAT(names_of(R"(
#include <torch/extension.h>
static float helper(float x) { return x > 0 ? x : 0; }
namespace { int hidden() { return 1; } }
namespace outer::inner { at::Tensor nested(at::Tensor x) noexcept { return x; } }
extern "C" { float dot(const float* a, long n) { return a[n]; } }
extern "C" float single(float a) { return a; }
__attribute__((noinline)) std::vector<torch::Tensor> forward(torch::Tensor x,
                                                             int n = f(3)) { return {x}; }
auto trailing(at::Tensor x) -> decltype(x.sum()) { return x.sum(); }
)"),
              ElementsAre("helper", "hidden", "outer::inner::nested", "dot", "single", "forward",
                          "trailing"));
}

TEST(KernelModule, TakesNothingElseForAFunction) {
  EXPECT_THAT(names_of(R"(
torch::Tensor forward(torch::Tensor x);
using Scale = float (*)(float);
auto lambda = [](torch::Tensor x) { return x; };
int values[] = {1, 2}, more{other(3)};
struct Op {
  Op(int n) : n(n) {}
  torch::Tensor forward(torch::Tensor x) { return x; }
  int n;
} op(3);
int Op::member(int a) { return a; }
Op::Op() : n(call(1)) { n = 2; }
enum class Kind { one, two };
static_assert(sizeof(int) == 4);
TORCH_LIBRARY(ops, m) { m.def("f"); }
// torch::Tensor forward(torch::Tensor x) { return x; }
const char* text = "torch::Tensor forward(torch::Tensor x) { return x; }";
)"),
              IsEmpty());
}

TEST(KernelModule, TellsHostFunctionsFromThoseOfAGpu) {
  const auto functions = free_functions(R"(
template <int N>
__global__ void __launch_bounds__(256) kernel(const float* x) { x[threadIdx.x]; }
__device__ float on_gpu(float x) { return x; }
__host__ __device__ float on_both(float x) { return x; }
template <typename T>
torch::Tensor launch(torch::Tensor x) { kernel<3><<<1, 256>>>(x.data_ptr<T>()); return x; }
void resize(torch::Tensor& x) {}
)");
  const FreeFunction on_both{.name = "on_both", .returns_tensors = false, .is_template = false};
  const FreeFunction launch{.name = "launch", .returns_tensors = true, .is_template = true};
  const FreeFunction resize{.name = "resize", .returns_tensors = false, .is_template = false};
  EXPECT_THAT(functions, ElementsAre(on_both, launch, resize));
}

TEST(KernelModule, AnUnfinishedSourceHasFunctionsUntilItsEnd) {
  EXPECT_THAT(names_of("int one() { return 1; } int two() { return (2;"),
              ElementsAre("one", "two"));
  EXPECT_THAT(names_of("namespace open { int one() { return 1; }"), ElementsAre("open::one"));
  EXPECT_THAT(names_of(")}](;"), IsEmpty());
  EXPECT_THAT(names_of(""), IsEmpty());
}

TEST(KernelModule, IsSeenWhereverItIsWrittenButInCommentsAndTexts) {
  EXPECT_TRUE(writes_module("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}"));
  EXPECT_TRUE(writes_module("#define MODULE PYBIND11_MODULE\nMODULE(a, m) {}"));
  EXPECT_TRUE(writes_module("extern \"C\" const rkb_module* rkb_kernel_module(const rkb_table*);"));
  EXPECT_FALSE(writes_module("// without PYBIND11_MODULE\nconst char* a = \"PYBIND11_MODULE\";"));
}

TEST(KernelModule, OffersWhatItNamesOrElseDefines) {
  const std::string function = "at::Tensor linear(at::Tensor x) { return x; }\n";
  EXPECT_TRUE(offers_entry_point(function, "linear"));
  EXPECT_FALSE(offers_entry_point(function, "forward"));
  const std::string module = function + "PYBIND11_MODULE(a, m) { m.def(\"forward\", &linear); }";
  EXPECT_TRUE(offers_entry_point(module, "forward"));
  EXPECT_FALSE(offers_entry_point(module, "linear"));
}

TEST(KernelModule, SeesWhatRegistersElsewhere) {
  EXPECT_EQ(registration_with_torch("TORCH_LIBRARY_IMPL(ops, CPU, m) {}"), "TORCH_LIBRARY_IMPL");
  EXPECT_EQ(registration_with_torch("// TORCH_LIBRARY(ops, m) {}\nint a;"), "");
  EXPECT_EQ(registration_with_python("PyMODINIT_FUNC PyInit__C(void) {}"), "PyMODINIT_FUNC");
  EXPECT_EQ(registration_with_python("extern \"C\" PyObject* PyInit__C(void) {}"), "PyInit__C");
  EXPECT_EQ(registration_with_python("#  include <Python.h>\nint a;"), "Python.h");
  EXPECT_EQ(registration_with_python("#include <torch/extension.h>\n// PyInit__C"), "");
}

}  // namespace
}  // namespace robust_kbench
