#include "compile/fallback.hpp"

#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Says whether torch may have what a kernel lacks that the shim headers do not compile.
bool may_need_torch(const std::string& text) {
  const BuildRecord record = KernelBuilder().build(text, {}, {.quick = true, .cache = false});
  EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
  return torch_has_what_is_missing(record.judgement.reason, toolchain_of_build().torch);
}

TEST(Fallback, IsForWhatTorchHas) {
  const std::vector<std::string> lacking{
      identity_kernel("#include <ATen/TensorIterator.h>"),
      identity_kernel("at::TensorIterator iterate();"),
      identity_kernel("namespace F = torch::nn::functional;"),
      identity_kernel("at::Tensor f(at::Tensor x) { return torch::nn::functional::softplus(x); }"),
      identity_kernel("at::Tensor f(at::Tensor x) { return at::cholesky(x); }"),
      identity_kernel("at::Tensor f(at::Tensor x) { return x.erfinv(); }"),
      identity_kernel("int f(at::Tensor x) { return AT_DISPATCH_V2(x.scalar_type(), \"f\", 1); }"),
      identity_kernel("at::Tensor f(at::Tensor x) { return x.norm(2); }"),
  };
  for (const std::string& text : lacking) EXPECT_TRUE(may_need_torch(text)) << text;
}

TEST(Fallback, IsNotForPlainMistakes) {
  const std::vector<std::string> wrong{
      identity_kernel("int f() { return 1 }"),
      identity_kernel("int f() { return stride; }"),
      identity_kernel("#include <no/such/header.h>"),
      identity_kernel("int f() { return NO_SUCH_MACRO(1); }"),
      identity_kernel("int f(at::Tensor x) { return at::no_such_thing(x); }"),
      identity_kernel("int f(at::Tensor x) { return x.no_such_thing(); }"),
      identity_kernel("at::Tensor f(at::Tensor x) { return x; }\nat::Tensor y = f();"),
      identity_kernel("struct S { int a; }; int f(S s) { return s.sum; }"),
  };
  for (const std::string& text : wrong) EXPECT_FALSE(may_need_torch(text)) << text;
}

// These are the words of nvcc's own front end.
TEST(Fallback, UnderstandsNvcc) {
  const TorchToolchain torch = toolchain_of_build().torch;
  EXPECT_TRUE(torch_has_what_is_missing(
      "k.cu(3): error: namespace \"at\" has no member \"TensorIterator\"\n", torch));
  EXPECT_TRUE(torch_has_what_is_missing(
      "k.cu(3): error: class \"rkb::Tensor\" has no member \"erfinv\"\n", torch));
  EXPECT_TRUE(torch_has_what_is_missing(
      "k.cu(3): error: name followed by \"::\" must be a class or namespace name\n"
      "  return torch::nn::functional::softplus(x);\n",
      torch));
  EXPECT_TRUE(torch_has_what_is_missing(
      "k.cu(3): error: identifier \"AT_DISPATCH_V2\" is undefined\n", torch));
  EXPECT_FALSE(torch_has_what_is_missing(
      "k.cu(3): error: namespace \"at\" has no member \"no_such_thing\"\n", torch));
  EXPECT_FALSE(torch_has_what_is_missing("k.cu(3): error: expected a \";\"\n", torch));
}

TEST(Fallback, RepeatsNoError) {
  const std::string both = "k.cpp:3:4: error: 'b' was not declared in this scope\n";
  const std::string shim = "k.cpp:2:1: error: 'nn' is not a member of 'torch'\n" + both;
  EXPECT_THAT(neither_compiles(shim, both), StartsWith(shim));
  EXPECT_THAT(neither_compiles(shim, both), EndsWith("does not compile either.\n"));
  const std::string other = "k.cpp:9:1: error: expected ';'\n";
  EXPECT_THAT(neither_compiles(shim, both + "  3 | b;\n" + other), EndsWith("either:\n" + other));
  EXPECT_THAT(neither_compiles(shim, "the compiler ran longer than 600 s\n"), HasSubstr("600 s"));
}

}  // namespace
}  // namespace robust_kbench
