#include "compile/fallback.hpp"

#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Some of the names that torch declares in its namespaces.
const DeclaredNames& declared_by_torch() {
  static const DeclaredNames names{"TensorIterator", "cholesky", "native", "stride"};
  return names;
}

bool torch_has_it(const std::string& compiler_output) {
  return torch_has_what_is_missing(compiler_output, toolchain_of_build().torch, declared_by_torch);
}

// Whether torch may have what a kernel misses, which does not compile with the shim's headers.
bool may_need_torch(const std::string& text) {
  const BuildRecord record = KernelBuilder().build(text, {}, {.quick = true, .cache = false});
  EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
  return torch_has_it(record.judgement.reason);
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
      identity_kernel("at::Tensor f(at::Tensor x) { return cholesky(x); }"),
      identity_kernel("using namespace at;\nTensorIterator iterate();"),
      identity_kernel("using namespace at;\nint f() { return native::f(); }"),
      identity_kernel("#include <iostream>\nvoid f(at::Tensor x) { std::cout << x; }"),
      identity_kernel("at::Tensor f(at::Tensor x) { return x % 2; }"),
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
      identity_kernel("int f() { return no_such_thing(1); }"),
      identity_kernel("struct S {}; S f(S s) { return s + s; }"),
      identity_kernel("auto f() { return py::no_such_thing(); }"),
  };
  for (const std::string& text : wrong) EXPECT_FALSE(may_need_torch(text)) << text;
}

// The messages are those of nvcc's own front end.
TEST(Fallback, UnderstandsNvcc) {
  for (const std::string error : {"namespace \"at\" has no member \"TensorIterator\"",
                                  "class \"rkb::Tensor\" has no member \"erfinv\"",
                                  "name followed by \"::\" must be a class or namespace name\n"
                                  "  return torch::nn::functional::softplus(x);",
                                  "identifier \"AT_DISPATCH_V2\" is undefined",
                                  "identifier \"cholesky\" is undefined\n  auto y = cholesky(x);",
                                  "no operator \"<<\" matches these operands\n"
                                  "            operand types are: std::ostream << rkb::Tensor"}) {
    EXPECT_TRUE(torch_has_it("k.cu(3): error: " + error + "\n")) << error;
  }
  for (const std::string error :
       {"namespace \"at\" has no member \"no_such_thing\"", "expected a \";\"",
        "identifier \"stride\" is undefined\n  return stride;",
        "no operator \"+\" matches these operands\n"
        "            operand types are: const __half + const __half"}) {
    EXPECT_FALSE(torch_has_it("k.cu(3): error: " + error + "\n")) << error;
  }
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
