#include "compile/compile_cache.hpp"

#include <cstdlib>

#include "kernel_builder.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class CompileCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("ccache --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no ccache here";
    use(m_builder.path("cache"));
    m_builder.write("number.hpp", "inline int number() { return 1; }");
  }
  void TearDown() override { unsetenv("RKB_CACHE"); }

  static void use(const std::filesystem::path& directory) {
    setenv("RKB_CACHE", directory.c_str(), 1);
  }
  BuildRecord build(bool cache = true) const {
    return m_builder.build(identity_kernel("#include \"number.hpp\"\n"), {}, {.cache = cache});
  }

  KernelBuilder m_builder;
};

TEST_F(CompileCacheTest, AnswersTheSameCompilation) {
  EXPECT_FALSE(build().cached);
  std::filesystem::remove(m_builder.path("kernel.so"));
  const BuildRecord again = build();
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.judgement.verdict, Verdict::pass) << again.judgement.reason;
  EXPECT_TRUE(std::filesystem::exists(again.library));
}

TEST_F(CompileCacheTest, CompilesWhatHasChanged) {
  EXPECT_FALSE(build().cached);
  m_builder.write("number.hpp", "inline int number() { return 2; }");
  EXPECT_FALSE(build().cached);
}

TEST_F(CompileCacheTest, CanBeSwitchedOff) {
  EXPECT_FALSE(build().cached);
  EXPECT_FALSE(build(false).cached);
}

TEST_F(CompileCacheTest, CostsNoVerdictWhereItCannotBeWritten) {
  m_builder.write("file", "");
  use(m_builder.path("file") / "below");
  EXPECT_EQ(build().judgement.verdict, Verdict::pass);
  EXPECT_FALSE(build().cached);
}

// Acts like a ccache that was copied without a library that it needs.
TEST_F(CompileCacheTest, CostsNoVerdictWhereItCannotStart) {
  m_builder.write("ccache",
                  "#!/bin/sh\n"
                  "echo 'ccache: error while loading shared libraries: libhiredis.so' >&2\n"
                  "exit 127\n");
  std::filesystem::permissions(m_builder.path("ccache"), std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (m_builder.path("").string() + ":" + path).c_str(), 1);
  const BuildRecord built = build();
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(built.judgement.verdict, Verdict::pass) << built.judgement.reason;
  EXPECT_FALSE(built.cached);
}

}  // namespace
}  // namespace robust_kbench
