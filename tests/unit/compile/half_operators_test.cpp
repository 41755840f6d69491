#include "compile/half_operators.hpp"

#include "compile/error_digest.hpp"
#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::string> flags{
    "-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__", "-D__CUDA_NO_HALF2_OPERATORS__"};

std::string advice(const std::string& error, const std::vector<std::string>& given = flags) {
  return half_operator_advice("k.cu(4): error: " + error + "\n    y[0] = x[0];\n", given);
}

TEST(HalfOperators, AreNamedWithFlagAndRemedy) {
  EXPECT_THAT(advice("no operator \"+\" matches these operands\n"
                     "            operand types are: const __half + const __half"),
              AllOf(HasSubstr("__CUDA_NO_HALF_OPERATORS__, which"), HasSubstr("__hadd(a, b)"),
                    HasSubstr("--option=-U__CUDA_NO_HALF_OPERATORS__")));
  EXPECT_THAT(advice("no operator \"+\" matches these operands\n"
                     "            operand types are: float + const __half"),
              HasSubstr("--option=-U__CUDA_NO_HALF_CONVERSIONS__ "
                        "--option=-U__CUDA_NO_HALF_OPERATORS__"));
  EXPECT_THAT(advice("no operator \"=\" matches these operands\n"
                     "            operand types are: __half = float"),
              AllOf(HasSubstr("__CUDA_NO_HALF_CONVERSIONS__, which"), Not(HasSubstr("OPERATORS"))));
  EXPECT_THAT(advice("no suitable conversion function from \"const __half\" to \"float\" exists"),
              HasSubstr("__CUDA_NO_HALF_CONVERSIONS__, which"));
  EXPECT_THAT(advice("no suitable constructor exists to convert from \"float\" to "
                     "\"__nv_bfloat16\""),
              HasSubstr("__CUDA_NO_BFLOAT16_CONVERSIONS__, which"));
  EXPECT_THAT(advice("no operator \"*\" matches these operands\n"
                     "            operand types are: __half2 * __half2"),
              HasSubstr("__CUDA_NO_HALF2_OPERATORS__, which"));
}

TEST(HalfOperators, AreNamedWhereAFlagIsTheReason) {
  EXPECT_THAT(advice("identifier \"__half\" is undefined"), IsEmpty());
  EXPECT_THAT(advice("no operator \"+\" matches these operands\n"
                     "            operand types are: Row + Row"),
              IsEmpty());
  const std::string error = "no suitable conversion function from \"__half\" to \"float\" exists";
  EXPECT_THAT(advice(error, {}), IsEmpty());
  EXPECT_THAT(advice(error, {flags[1], "-U__CUDA_NO_HALF_CONVERSIONS__"}), IsEmpty());
}

// Checks that the proposed remedy works.
TEST(HalfOperators, AreBackWithTheOptionsThatAreNamed) {
  const Toolchain toolchain = toolchain_of_build();
  if (toolchain.nvcc.empty()) GTEST_SKIP() << "no nvcc here";
  const KernelBuilder builder;
  KernelSource kernel{
      .name = "kernel",
      .device = Device::cuda,
      .sources = {builder.write(
          "kernel.cu", identity_kernel("#include <cuda_fp16.h>\n"
                                       "__global__ void f(__half* x) { x[0] = x[1] + x[2]; }\n"
                                       "__global__ void g(__half* x) { x[0] = 1.5f; }"))}};
  const auto built = [&] {
    return compile(kernel, toolchain, builder.path("kernel.so"), {.quick = true, .cache = false});
  };
  const BuildRecord refused = built();
  EXPECT_EQ(refused.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(refused.judgement.reason, HasSubstr("--option=-U__CUDA_NO_HALF_CONVERSIONS__ "
                                                  "--option=-U__CUDA_NO_HALF_OPERATORS__"));
  EXPECT_THAT(compiler_errors_text(refused.judgement.reason), HasSubstr("write __hadd(a, b)"));
  EXPECT_EQ(refused.headers, KernelHeaders::shim);
  kernel.options = {"-U__CUDA_NO_HALF_CONVERSIONS__", "-U__CUDA_NO_HALF_OPERATORS__"};
  const BuildRecord accepted = built();
  EXPECT_EQ(accepted.judgement.verdict, Verdict::pass) << accepted.judgement.reason;
}

}  // namespace
}  // namespace robust_kbench
