#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernel_builder.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class NvccHalvesTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return m_directory.path() / name;
  }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }

  // A false nvcc that prints `plan` if asked for one, and else says that it compiled.
  std::string nvcc_that_plans(const std::string& plan) const {
    std::string nvcc = write("nvcc",
                             "#!/bin/sh\nfor last; do :; done\n"
                             "if [ \"$last\" = --dryrun ]; then echo '" +
                                 plan + "' >&2; else echo \"$@\" compiled; exit 3; fi\n");
    std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
    return nvcc;
  }

  CommandResult run(const std::string& program, const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_command(command, std::chrono::minutes{10}, m_directory.path());
  }

  TemporaryDirectory m_directory{"unit_compile"};
};

TEST_F(NvccHalvesTest, LeavesAnUnknownPlanToNvcc) {
  for (const char* plan : {"", "nvcc fatal: what?", "#$ gcc -c -x c++ a.cpp -o a.o",
                           "#$ TOP=/\n#$ clever --all-at-once kernel.cu"}) {
    const CommandResult result =
        run(RKB_NVCC_HALVES, {nvcc_that_plans(plan), "-c", "kernel file.cu"});
    EXPECT_EQ(result.output, "-c kernel file.cu compiled\n") << plan;
    EXPECT_EQ(result.exit_code, 3) << plan;
  }
}

class RealNvccHalvesTest : public NvccHalvesTest {
 protected:
  void SetUp() override {
    if (m_nvcc.empty()) GTEST_SKIP() << "no nvcc";
  }

  CommandResult compile(const std::string& text, bool halves) const {
    std::vector<std::string> arguments{
        m_nvcc,     "-arch=sm_90", "-Ispace in name",        "-MD", "-MF",
        "kernel.d", "-c",          write("kernel.cu", text), "-o",  "kernel.o"};
    if (halves) arguments.insert(arguments.begin(), RKB_NVCC_HALVES);
    std::filesystem::remove(path("kernel.o"));
    return run(arguments.front(), {arguments.begin() + 1, arguments.end()});
  }

  const std::string m_nvcc = toolchain_of_build().nvcc;
};

TEST_F(RealNvccHalvesTest, MakeTheObjectAndNameEveryFileRead) {
  std::filesystem::create_directory(path("space in name"));
  write("space in name/device.h", "#define VALUE 3\n");
  write("host.h", "");
  const CommandResult result = compile(
      "#ifdef __CUDA_ARCH__\n#include \"device.h\"\n#else\n#include \"host.h\"\n#define VALUE 0\n"
      "#endif\nnamespace { __global__ void three(int* x) { *x = VALUE; } }\n"
      "void launch(int* x) { three<<<1, 1>>>(x); }\n",
      true);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  // nvcc_halves gives this name to every source, so nvcc did not make this object alone.
  EXPECT_THAT(read("kernel.o"), HasSubstr("_6_kernel_"));
  EXPECT_THAT(read("kernel.o"), HasSubstr(".nv.info")) << "the code of the GPU";
  const std::string rule = read("kernel.d");
  EXPECT_THAT(rule, HasSubstr("kernel.o: "));
  EXPECT_THAT(rule, HasSubstr("device.h"));
  EXPECT_THAT(rule, HasSubstr("host.h"));
  EXPECT_THAT(rule, HasSubstr("cuda_runtime.h"));
  EXPECT_THAT(rule.substr(rule.find(": ") + 2), Not(HasSubstr(": "))) << "one rule";
}

TEST_F(RealNvccHalvesTest, SayWhatNvccSays) {
  for (const char* text :
       {"__global__ void f(int* x) { int unused; *x = 1; }\n",
        "__global__ void f(int* x) { *x = missing; }\nint g() { return gone; }\n",
        "int host() { return \"text\"; }\n"
        "__device__ void f() { static_assert(sizeof(int) == 8); }\n"}) {
    const CommandResult theirs = compile(text, false);
    const CommandResult ours = compile(text, true);
    EXPECT_EQ(ours.output, theirs.output);
    EXPECT_EQ(ours.exit_code == 0, theirs.exit_code == 0) << text;
  }
}

}  // namespace
}  // namespace robust_kbench
