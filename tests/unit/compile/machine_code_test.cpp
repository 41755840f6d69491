#include "compile/machine_code.hpp"

#include <string>

#include "compile/compile.hpp"
#include "kernel_builder.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class MachineCodeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (m_toolchain.nvcc.empty()) GTEST_SKIP() << "no nvcc";
  }

  std::string digest(const std::string& body, const std::string& host = "") const {
    const KernelSource kernel{
        .name = "kernel",
        .device = Device::cuda,
        .sources = {m_builder.write("kernel.cu",
                                    "#include <torch/extension.h>\n"
                                    "namespace {\n"
                                    "__global__ void scale(const float* x, float* y, int n) {" +
                                        body +
                                        "}\n"
                                        "}\n"
                                        "torch::Tensor forward(torch::Tensor x) {\n"
                                        "  auto y = torch::empty_like(x);\n"
                                        "  const int n = x.numel();\n"
                                        "  scale<<<(n + 255) / 256, 256" +
                                        host +
                                        ">>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n"
                                        "  return y;\n"
                                        "}\n"
                                        "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {"
                                        " m.def(\"forward\", &forward); }\n")}};
    const std::string library = m_builder.path("kernel.so");
    const BuildRecord record = compile(kernel, m_toolchain, library, {.cache = false});
    EXPECT_TRUE(record.judgement.passes()) << record.judgement.reason;
    return machine_code_digest(library, Device::cuda);
  }

  const Toolchain m_toolchain = toolchain_of_build();
  const KernelBuilder m_builder;
};

TEST_F(MachineCodeTest, IsTheSameForAnotherTextOfTheSameCode) {
  const std::string first =
      digest("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2.5f * x[i];");
  EXPECT_EQ(digest("\n\n  // the element of this thread\n  int element = blockIdx.x * blockDim.x + "
                   "threadIdx.x;\n  if (element < n) { y[element] = 2.5f * x[element]; }\n"),
            first);
  EXPECT_NE(
      digest("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2.75f * x[i];"),
      first);
  EXPECT_NE(digest("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2.5f * x[i];",
                   ", 4096"),
            first);
}

TEST(MachineCode, CountsAsAWholeWhereItCannotBeRead) {
  const KernelBuilder builder;
  const std::string one = builder.write("one.so",
                                        "\x7f"
                                        "ELF no tables");
  const std::string other = builder.write("other.so",
                                          "\x7f"
                                          "ELF no tablet");
  EXPECT_NE(machine_code_digest(one, Device::cuda), machine_code_digest(other, Device::cuda));
  EXPECT_NE(machine_code_digest(one, Device::cpu), machine_code_digest(other, Device::cpu));
}

TEST(SourceDigests, AreThoseBesideTheNameOfAFile) {
  EXPECT_EQ(without_source_digests("_ZN41_GLOBAL__N__a16eb406_9_kernel_cu_f4e825ed5scaleEPKfPfi"),
            "_ZN41_GLOBAL__N__00000000_9_kernel_cu_000000005scaleEPKfPfi");
  for (const char* other :
       {"_a16eb406_8_kernel_cu_f4e825ed", "_a16eb406_", "_a16eb406_9_kernel_cu_",
        "_a16eb406_99999999999999999999_k_f4e825ed", "x_16eb406"}) {
    EXPECT_EQ(without_source_digests(other), other);
  }
}

}  // namespace
}  // namespace robust_kbench
