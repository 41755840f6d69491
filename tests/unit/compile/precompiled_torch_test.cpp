#include "compile/precompiled_torch.hpp"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

using Outcome = PrecompiledTorch::Outcome;

class PrecompiledTorchTest : public testing::Test {
 protected:
  void SetUp() override { setenv("RKB_CACHE", m_builder.path("cache").c_str(), 1); }
  void TearDown() override { unsetenv("RKB_CACHE"); }

  // Imitates a compiler of this header.
  PrecompiledTorch::RunCommand compiler() {
    return [this](const std::vector<std::string>&, const fs::path& directory) {
      ++m_made;
      std::ofstream(directory / "torch.h.gch") << "precompiled";
      std::ofstream(directory / "torch.d")
          << "torch.h: " << (directory / "torch.h").string() << " \\\n " << m_of << "\n";
      return Outcome::made;
    };
  }
  static PrecompiledTorch with(const std::string& flag) { return {{"g++", flag}, "g++ 12"}; }

  fs::path root() const { return m_builder.path("cache") / "torch_headers"; }
  int sets() const {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(root())) count += entry.is_directory() ? 1 : 0;
    return count;
  }

  KernelBuilder m_builder;
  std::string m_of = m_builder.write("tensor.h", "");
  std::atomic<int> m_made{0};
};

TEST_F(PrecompiledTorchTest, IsMadeOnceForEachSetOfFlags) {
  EXPECT_FALSE(with("-O3").exists());
  for (int i = 0; i < 2; ++i) {
    const auto header = with("-O3").header(compiler());
    ASSERT_TRUE(header);
    EXPECT_TRUE(fs::exists(header->file));
    EXPECT_TRUE(fs::exists(header->file.string() + ".gch"));
  }
  EXPECT_TRUE(with("-O3").exists());
  EXPECT_FALSE(with("-O0").exists());
  EXPECT_EQ(m_made, 1);
}

TEST_F(PrecompiledTorchTest, IsMadeAgainWhereAHeaderChanged) {
  ASSERT_TRUE(with("-O3").header(compiler()));
  m_builder.write("tensor.h", "changed");
  EXPECT_FALSE(with("-O3").exists());
  ASSERT_TRUE(with("-O3").header(compiler()));
  EXPECT_EQ(m_made, 2);
  EXPECT_EQ(sets(), 1);
}

TEST_F(PrecompiledTorchTest, TheThreeThatWereUsedLastAreKept) {
  for (const char* flag : {"-O0", "-O1", "-O2"}) ASSERT_TRUE(with(flag).header(compiler()));
  ASSERT_TRUE(with("-O0").header(compiler()));  // used again
  ASSERT_TRUE(with("-O3").header(compiler()));
  EXPECT_EQ(sets(), 3);
  EXPECT_TRUE(with("-O0").exists());
  EXPECT_FALSE(with("-O1").exists());
}

TEST_F(PrecompiledTorchTest, NoneIsRemovedWhileItIsInUse) {
  const auto used = with("-O0").header(compiler());
  ASSERT_TRUE(used);
  for (const char* flag : {"-O1", "-O2", "-O3"}) ASSERT_TRUE(with(flag).header(compiler()));
  EXPECT_TRUE(fs::exists(used->file));
  m_builder.write("tensor.h", "changed");
  EXPECT_FALSE(with("-O0").header(compiler()));
  EXPECT_TRUE(fs::exists(used->file));
}

TEST_F(PrecompiledTorchTest, OneOfManyMakesIt) {
  std::atomic<int> got{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { got += with("-O3").header(compiler()).has_value() ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(got, 8);
  EXPECT_EQ(m_made, 1);
}

TEST_F(PrecompiledTorchTest, WhatAnEndedProcessLeftIsRemoved) {
  fs::create_directories(root() / "0123.new");
  fs::create_directories(root() / "4567.old");
  ASSERT_TRUE(with("-O3").header(compiler()));
  EXPECT_EQ(sets(), 1);
}

TEST_F(PrecompiledTorchTest, AFailureLeavesNothing) {
  const auto fails = [&](const std::vector<std::string>&, const fs::path& directory) {
    std::ofstream(directory / "torch.h.gch") << "half of";
    return Outcome::failed;
  };
  EXPECT_FALSE(with("-O3").header(fails));
  EXPECT_EQ(sets(), 0);
  EXPECT_TRUE(with("-O3").header(compiler()));
}

TEST_F(PrecompiledTorchTest, ARefusalIsNotTriedAgain) {
  int tried = 0;
  const auto refuses = [&](const std::vector<std::string>&, const fs::path&) {
    ++tried;
    return Outcome::refused;
  };
  EXPECT_FALSE(with("-O3").header(refuses));
  EXPECT_FALSE(with("-O3").header(refuses));
  EXPECT_EQ(tried, 1);
}

TEST_F(PrecompiledTorchTest, CostsNothingWhereItCannotBe) {
  setenv("RKB_CACHE", (fs::path(m_builder.write("file", "")) / "below").c_str(), 1);
  EXPECT_FALSE(with("-O3").header(compiler()));
  EXPECT_EQ(m_made, 0);
}

TEST_F(PrecompiledTorchTest, IsForKernelsThatCannotChangeIt) {
  const auto may = [&](const std::string& text, const std::vector<std::string>& options = {}) {
    return may_precompile_torch({.sources = {m_builder.write("k.cpp", text)}, .options = options});
  };
  const std::string include = "#include <torch/extension.h>\n";
  const std::string define = "#define NDEBUG\n";
  EXPECT_TRUE(may(include + define, {"-O2", "-funroll-loops", "-mavx2", "-g"}));
  EXPECT_FALSE(may(define + include));
  EXPECT_FALSE(may(include + define + "#include <ATen/Parallel.h>\n"));
  for (const char* option : {"-DNDEBUG", "-Ihere", "-include", "-fplugin=own.so", "@file"}) {
    EXPECT_FALSE(may(include, {option})) << option;
  }
}

// Has a compiler, its sandbox, and a header in the place of torch's.
class CompiledOverTorch : public PrecompiledTorchTest {
 protected:
  void SetUp() override {
    PrecompiledTorchTest::SetUp();
    fs::create_directories(m_builder.path("over/torch"));
    m_builder.write("over/torch/extension.h",
                    "#pragma once\n#include \"" RKB_KERNEL_INCLUDE "/torch/extension.h\"\n");
  }
  BuildRecord build(const std::string& compiler = RKB_CXX) {
    const KernelSource kernel{.name = "kernel",
                              .sources = {m_builder.write("kernel.cpp", identity_kernel())},
                              .definitions = {"TILE=1"},
                              .options = {"-O0"},
                              .headers = KernelHeaders::torch};
    const Toolchain toolchain{
        .cxx = compiler,
        .kernel_include = RKB_KERNEL_INCLUDE,
        .shim = RKB_SHIM,
        .worker = RKB_WORKER,
        .torch = {
            .kernel_include = m_builder.path("over"), .shim = RKB_SHIM, .libraries = {RKB_SHIM}}};
    m_told.clear();
    const CompileOptions options{
        .on_progress = [&](const std::string& text) { m_told.push_back(text); }};
    return compile(kernel, toolchain, m_builder.path("kernel.so"), options);
  }

  std::vector<std::string> m_told;
};

TEST_F(CompiledOverTorch, FindsThePrecompiledHeaderAndSaysWhatTakesLong) {
  const BuildRecord first = build();
  EXPECT_EQ(first.judgement.verdict, Verdict::pass) << first.judgement.reason;
  EXPECT_THAT(m_told, ElementsAre("compiling over torch's headers (first time: about a minute)"));
  EXPECT_EQ(sets(), 1);
  EXPECT_THAT(first.flags, Contains("-include"));
  EXPECT_EQ(build().judgement.verdict, Verdict::pass);
  EXPECT_THAT(m_told, ElementsAre("compiling over torch's headers"));
}

TEST_F(CompiledOverTorch, CompilesPlainlyWhereItCannotBePrecompiled) {
  const std::string compiler = m_builder.write(
      "compiler",
      "#!/bin/sh\ncase \"$*\" in *c++-header*) exit 1;; esac\nexec " RKB_CXX " \"$@\"\n");
  fs::permissions(compiler, fs::perms::owner_all);
  const BuildRecord record = build(compiler);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(record.flags, Not(Contains("-include")));
}

}  // namespace
}  // namespace robust_kbench
