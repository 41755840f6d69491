#include "profile/vectorizer.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "golden.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::IsEmpty;

const ToolFinding& at(const std::vector<ToolFinding>& findings, const std::string& file, int line) {
  for (const ToolFinding& finding : findings) {
    if (finding.where.file == file && finding.where.line == line) return finding;
  }
  throw std::out_of_range(file + ":" + std::to_string(line));
}

TEST(Vectorizer, TellsWhyALoopIsNotVectorized) {
  const auto findings = vectorizer_findings(golden("vectorizer.txt"));
  const std::map<int, std::string> reasons = {
      {3, "control flow in loop"},
      {7, "unsupported use in stmt"},
      {9, "possible dependence between data-refs *_4 and *_7"},
      {12, "it cannot see through _12 = __builtin_expf (_4);"},
      {16, "it cannot see through _11 = g (_4);"}};
  for (const auto& [line, reason] : reasons) {
    const ToolFinding& finding = at(findings, "m.cpp", line);
    EXPECT_EQ(finding.what, "not_vectorized");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.meaning, "the loop is not vectorized: " + reason);
  }
}

TEST(Vectorizer, TellsSumsOfOneTermAfterAnother) {
  const auto findings = vectorizer_findings(golden("vectorizer.txt"));
  EXPECT_EQ(at(findings, "k.cpp", 5).what, "in_order_reduction");
  EXPECT_EQ(at(findings, "k.cpp", 13).what, "in_order_reduction");
  EXPECT_EQ(at(findings, "m.cpp", 19).what, "in_order_reduction");
}

TEST(Vectorizer, TellsTheWidthOfVectors) {
  const auto findings = vectorizer_findings(golden("vectorizer.txt"));
  EXPECT_EQ(at(findings, "k.cpp", 18).what, "vectorized");
  EXPECT_EQ(at(findings, "k.cpp", 18).value, 64);
}

TEST(Vectorizer, LeavesOutLoopsAroundVectorizedOnes) {
  EXPECT_THROW(at(vectorizer_findings(golden("vectorizer.txt")), "k.cpp", 9), std::out_of_range);
}

TEST(Vectorizer, ReadsAnything) {
  EXPECT_THAT(vectorizer_findings(""), IsEmpty());
  EXPECT_THAT(vectorizer_findings(":\n: : \n::: missed: couldn't vectorize loop\na: b: c\n"
                                  "x:y:1: missed: couldn't vectorize loop\n"),
              IsEmpty());
}

TEST(Vectorizer, AsksTheCompilerOfTheBuild) {
  const TemporaryDirectory directory("vectorizer_test");
  const std::string source = directory.path() / "kernel.cpp";
  std::ofstream(source) << "float f(const float* x, int n) {\n"
                           "  float s = 0;\n"
                           "  for (int i = 0; i < n; ++i) s += x[i];\n"
                           "  return s;\n"
                           "}\n";
  const KernelSource kernel{.sources = {source}};
  const Toolchain toolchain{.cxx = CXX};
  const auto findings = run_vectorizer(kernel, toolchain, {"-O3"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].what, "in_order_reduction");
  EXPECT_EQ(findings[0].where.line, 3);
  const auto reordered = run_vectorizer(kernel, toolchain, {"-O3", "-ffast-math"});
  ASSERT_EQ(reordered.size(), 1U);
  EXPECT_EQ(reordered[0].what, "vectorized");
  std::ofstream(source) << "no source";
  EXPECT_THROW(run_vectorizer(kernel, toolchain, {}), UserError);
}

// Runs a program in the compiler's place, beside a user's file in another directory.
class VectorizersCompiler : public testing::Test {
 protected:
  VectorizersCompiler() { std::ofstream(m_secret) << "secret\n"; }

  void run(const std::string& script, const std::string& worker) const {
    const std::filesystem::path compiler = m_directory.path() / "bin" / "compiler";
    std::filesystem::create_directory(compiler.parent_path());
    std::ofstream(compiler) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    const KernelSource kernel{.sources = {(m_directory.path() / "kernel.cpp").string()}};
    const Toolchain toolchain{.cxx = compiler, .worker = worker};
    EXPECT_THAT(run_vectorizer(kernel, toolchain, {}), IsEmpty());
  }

  const TemporaryDirectory m_directory{"vectorizer_test"};
  const TemporaryDirectory m_elsewhere{"elsewhere"};
  const std::string m_secret = m_elsewhere.path() / "secret";
};

TEST_F(VectorizersCompiler, ReadsNoFileOfTheUser) {
  const SandboxFacts& facts = sandbox_facts(sandbox_beside(RKB_WORKER));
  if (facts.landlock == 0 && !facts.view) GTEST_SKIP() << "nothing here restricts files";
  const std::string script = "if read -r line <" + m_secret + "; then exit 1; fi";
  EXPECT_NO_THROW(run(script, RKB_WORKER));
  EXPECT_THROW(run(script, ""), UserError);  // without a sandbox
}

TEST_F(VectorizersCompiler, GetsNoVariableThatItDoesNotNeed) {
  setenv("RKB_TEST_KEY", "secret", 1);
  EXPECT_NO_THROW(run("[ -z \"$RKB_TEST_KEY\" ]", RKB_WORKER));
  unsetenv("RKB_TEST_KEY");
}

}  // namespace
}  // namespace robust_kbench
