#include "evaluate/build.hpp"

#include <filesystem>
#include <thread>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "scripted_suite.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class CompilePoolTest : public testing::Test, public ScriptedSuite {
 protected:
  [[nodiscard]] KernelSource source(const std::string& text) const {
    return {.entry = {m_task.name, Direction::forward},
            .name = "source",
            .sources = {write("source.cpp", text)}};
  }

  // A compiler that runs a shell script unless it is asked for its version.
  CompilePool pool(const std::string& script) {
    const std::string compiler =
        write("compiler", "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 1\n" + script);
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    m_manifest.toolchain.cxx = compiler;
    return {m_manifest.toolchain, /*cache=*/false};
  }
};

TEST_F(CompilePoolTest, ReadsTheRecordsOfABuild) {
  CompilePool builds = pool("exit 1");
  const Build build = builds.build(kernel("is right"));
  EXPECT_EQ(build.record.judgement.verdict, Verdict::pass);
  EXPECT_EQ(build.record.library, "is right");
  EXPECT_FALSE(build.directory);
}

TEST_F(CompilePoolTest, NamesKernelsThatAreNotBuilt) {
  KernelSource unbuilt = kernel("is right");
  unbuilt.record = "/nowhere/record.json";
  try {
    pool("exit 1").build(unbuilt);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is not built"));
  }
  EXPECT_THROW(require_built(m_manifest, {kernel("is right"), unbuilt}), UserError);
  EXPECT_NO_THROW(require_built(m_manifest, {kernel("is right"), source("")}));
}

TEST_F(CompilePoolTest, CompilesKernelsOutsideTheBuild) {
  CompilePool builds = pool("echo 'no such thing' >&2; exit 1");
  const Build build = builds.build(source("int x = y;"));
  EXPECT_EQ(build.record.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(build.record.judgement.reason, HasSubstr("no such thing"));
  KernelSource missing = source("");
  missing.sources = {"/nowhere/kernel.cpp"};
  EXPECT_THROW(builds.build(missing), UserError);
}

TEST_F(CompilePoolTest, RejectsAKernelThatAsksForWhatIsRefused) {
  KernelSource asking =
      kernel("is right",
             {.judgement = passed(), .uses = {{Capability::clocks, "clock", "kernel.cpp", 3}}});
  CompilePool builds(m_manifest.toolchain, /*cache=*/false, refused_by_default(Device::cpu));
  const BuildRecord refused = builds.build(asking).record;
  EXPECT_EQ(refused.judgement.verdict, Verdict::load_error);
  EXPECT_THAT(refused.judgement.reason, HasSubstr("clocks: clock (kernel.cpp:3)"));
  EXPECT_EQ(refused.library, "");
  asking.allowed = {Capability::clocks};
  EXPECT_TRUE(builds.build(asking).record.judgement.passes());
}

TEST_F(CompilePoolTest, KillsCompilersOnceItIsCancelled) {
  const std::filesystem::path sign = m_directory.path() / "sign";
  CompilePool builds = pool("touch '" + sign.string() + "'; exec sleep 1000");
  std::stop_source stop;
  const std::jthread canceller([&] {
    while (!exists(sign)) std::this_thread::sleep_for(std::chrono::milliseconds{5});
    stop.request_stop();
  });
  EXPECT_THROW(builds.build(source(""), stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace robust_kbench
