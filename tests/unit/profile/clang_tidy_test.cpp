#include "profile/clang_tidy.hpp"

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "process/temporary_directory.hpp"
#include "profile/tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

TEST(ClangTidyFindings, NamesCheckMessageAndPlaceOnce) {
  const std::string warning =
      "/k/norm.cu:69:34: warning: performing an implicit widening conversion to type 'long' "
      "[bugprone-implicit-widening-of-multiplication-result]\n";
  const auto findings = clang_tidy_findings(
      "15350 warnings generated.\n" + warning +
      "      const int64_t at = first + (i * kThreads + threadIdx.x) * kWidth;\n"
      "                                 ^\n"
      "/k/norm.cu:69:34: note: make conversion explicit to silence this warning\n" +
      warning + "Suppressed 15349 warnings (15349 in non-user code).\n");
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].tool, "clang-tidy");
  EXPECT_EQ(findings[0].what, "bugprone-implicit-widening-of-multiplication-result");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_EQ(findings[0].meaning, "performing an implicit widening conversion to type 'long'");
  EXPECT_EQ(findings[0].where.file, "/k/norm.cu");
  EXPECT_EQ(findings[0].where.line, 69);
}

TEST(ClangTidyFindings, CallsWhatClangCannotReadNoFaultOfTheKernel) {
  const auto findings = clang_tidy_findings(
      "/k/norm.cu:37:22: error: initialization is not supported for __shared__ variables. "
      "[clang-diagnostic-error]\n");
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].what, "clang_cannot_read");
  EXPECT_EQ(findings[0].severity, Severity::info);
}

TEST(ClangTidyFindings, AreNoneWhereThereIsNoDiagnostic) {
  EXPECT_TRUE(clang_tidy_findings("2 warnings generated.\nSuppressed 2 warnings.\n").empty());
  EXPECT_TRUE(clang_tidy_findings("a: warning: b\n: error: []\n").empty());
}

// Runs the tool itself, if it is installed.
class ClangTidy : public testing::Test {
 protected:
  void SetUp() override {
    if (!m_tool.missing.empty()) GTEST_SKIP() << m_tool.missing;
  }

  std::vector<ToolFinding> run(const std::string& name, const std::string& text) {
    const std::string source = m_directory.path() / name;
    std::ofstream(source) << text;
    const bool cuda = source.ends_with(".cu");
    return run_clang_tidy({.device = cuda ? Device::cuda : Device::cpu, .sources = {source}},
                          m_tool.path, {.nvcc = NVCC},
                          {"-std=c++17", "-O3", "--use_fast_math", "-DSIZE=4"});
  }

  TemporaryDirectory m_directory{"clang_tidy_test"};

 private:
  Tool m_tool = find_tool("clang-tidy", {});
};

TEST_F(ClangTidy, FindsAWideningMultiplicationInACpuKernel) {
  const auto findings = run("kernel.cpp", "long at(int row) {\n  return row * SIZE;\n}\n");
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].what, "bugprone-implicit-widening-of-multiplication-result");
  EXPECT_THAT(findings[0].where.file, HasSubstr("kernel.cpp"));
  EXPECT_EQ(findings[0].where.line, 2);
}

TEST_F(ClangTidy, HasNoFileBesideTheKernelTurnItsChecksOff) {
  std::ofstream(m_directory.path() / ".clang-tidy") << "Checks: '-*'\n";
  EXPECT_EQ(run("kernel.cpp", "long at(int row) {\n  return row * SIZE;\n}\n").size(), 1);
}

TEST_F(ClangTidy, SaysWhatItCannotRead) {
  try {
    run("kernel.cpp", "#include \"missing.hpp\"\n");
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'missing.hpp' file not found"));
  }
}

TEST_F(ClangTidy, ReadsTheDeviceFunctionsOfACudaKernel) {
  if (std::string(NVCC).empty()) GTEST_SKIP() << "no nvcc";
  const auto findings = run("kernel.cu",
                            "__global__ void scale(float* x) {\n"
                            "  const unsigned long at = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  const unsigned long row = blockIdx.x * blockDim.x;\n"
                            "  x[at + row] *= SIZE;\n"
                            "}\n"
                            "void run(float* x) { scale<<<1, 32>>>(x); }\n");
  EXPECT_THAT(findings, Contains(Field(&ToolFinding::what,
                                       "bugprone-implicit-widening-of-multiplication-result")));
}

}  // namespace
}  // namespace robust_kbench
