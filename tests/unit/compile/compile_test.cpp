#include "compile/compile.hpp"

#include <cstdlib>
#include <dlfcn.h>

#include "core/error.hpp"
#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(Compile, LeavesOutWhatAKernelDoesNotName) {
  const KernelBuilder builder;
  const BuildRecord record = builder.build(identity_kernel());
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(record.flags, Contains("-DRKB_WITHOUT_VECTOR"));
  EXPECT_TRUE(std::filesystem::exists(record.library));
}

TEST(Compile, TriesAgainWithAllHeadersWhereTheScanWasWrong) {
  const KernelBuilder builder;
  const BuildRecord record = builder.build(
      identity_kernel("#define PASTE(a, b) a##b\nstd::PASTE(vec, tor)<int> numbers;"));
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(record.flags, Not(Contains("-DRKB_WITHOUT_VECTOR")));
}

TEST(Compile, TriesAgainWithOperatorsWhereTheScanSawNone) {
  const KernelBuilder builder;
  const BuildRecord record =
      builder.build(identity_kernel("at::Tensor twice(const at::Tensor& x) { return x + x; }"));
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(record.flags, Not(Contains("-DRKB_WITHOUT_OPERATORS")));
}

TEST(Compile, GivesAQuickVerdictWithoutALibrary) {
  const KernelBuilder builder;
  const BuildRecord good = builder.build(identity_kernel(), {}, {.quick = true});
  EXPECT_EQ(good.judgement.verdict, Verdict::pass) << good.judgement.reason;
  EXPECT_EQ(good.library, "");
  EXPECT_FALSE(std::filesystem::exists(builder.path("kernel.so")));
  const std::string wrong = identity_kernel("int number = at::no_such_thing();");
  const BuildRecord bad = builder.build(wrong, {}, {.quick = true});
  EXPECT_EQ(bad.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(bad.judgement.reason, HasSubstr("no_such_thing"));
  EXPECT_EQ(bad.judgement.reason, builder.build(wrong).judgement.reason);
}

TEST(Compile, NamesTheLimitOfFilesThatASourceExceeds) {
  const KernelBuilder builder;
  const BuildRecord record =
      builder.build(identity_kernel("__asm__(\".data\\n.fill 300000000\\n.text\");"));
  EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(
      record.judgement.reason,
      HasSubstr("the compiler wrote more than 256 MiB to one file; the limit is 256 MiB in all "
                "files; make the source smaller"));
}

TEST(Compile, NamesTheLimitOfAllFilesThatItsSourcesExceedTogether) {
  const KernelBuilder builder;
  CompilerLimits limits = compiler_limits(Device::cpu);
  limits.file_bytes = std::size_t{4} << 20;
  const std::string fill = "__asm__(\".data\\n.fill 3000000, 1, 1\\n.text\");\n";
  const KernelSource kernel{.name = "kernel",
                            .sources = {builder.write("kernel.cpp", identity_kernel(fill)),
                                        builder.write("further.cpp", fill)},
                            .options = {"-O0"}};
  const BuildRecord record = compile(kernel, toolchain_of_build(), builder.path("kernel.so"),
                                     {.cache = false, .limits = limits});
  EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(record.judgement.reason,
              ContainsRegex("wrote [4-6] MiB or more; the limit is 4 MiB in all files; make"));
}

// Instantiates 16 million templates.
const std::string vast = R"(
template <int depth, int id> struct Tree {
  static constexpr int size = Tree<depth - 1, 2 * id>::size + Tree<depth - 1, 2 * id + 1>::size;
};
template <int id> struct Tree<0, id> { static constexpr int size = 1; };
constexpr int leaves = Tree<23, 1>::size;
)";

TEST(Compile, NamesTheLimitOfMemoryThatASourceExceeds) {
  const KernelBuilder builder;
  CompilerLimits limits = compiler_limits(Device::cpu);
  limits.memory_bytes = std::size_t{150} << 20;
  const BuildRecord record =
      builder.build(identity_kernel(vast), {}, {.cache = false, .limits = limits});
  EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(record.judgement.reason,
              HasSubstr("of it in cc1plus; the limit is 150 MiB; make the source smaller"));
}

TEST(Compile, NamesTheLimitOfTimeThatASourceExceeds) {
  const KernelBuilder builder;
  CompilerLimits limits = compiler_limits(Device::cpu);
  limits.processor_time = std::chrono::seconds{1};
  const BuildRecord record =
      builder.build(identity_kernel(vast), {}, {.cache = false, .limits = limits});
  EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(record.judgement.reason, HasSubstr("the limit is 1 s; make the source smaller"));
}

TEST(Compile, SeesNoDeviceWithoutAnEnd) {
  const KernelBuilder builder;
  for (const char* device : {"/dev/zero", "/dev/full", "/dev/urandom"}) {
    const BuildRecord record =
        builder.build(identity_kernel("#include \"" + std::string(device) + "\""));
    EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
    EXPECT_THAT(record.judgement.reason, HasSubstr(std::string(device) + ": "));
    EXPECT_LT(record.judgement.reason.size(), 2000U);
  }
}

TEST(Compile, TriesAgainWithoutHasteWhereNvccRefusesIt) {
  const KernelBuilder builder;
  const std::string nvcc = builder.write(
      "nvcc", "#!/bin/sh\ncase \"$*\" in *--Ofast-compile=max*) : >\"$0.asked\"; exit 1;; esac\n");
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  const KernelSource kernel{
      .name = "kernel", .device = Device::cuda, .sources = {builder.write("kernel.cu", "")}};
  const BuildRecord record =
      compile(kernel, {.nvcc = nvcc}, builder.path("kernel.so"), {.quick = true});
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_TRUE(std::filesystem::exists(nvcc + ".asked"));
}

TEST(Compile, UsesFastMathUnlessTheTaskDoesWithout) {
  const KernelBuilder builder;
  const std::string nvcc = builder.write("nvcc", "#!/bin/sh\n");
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  KernelSource kernel{
      .name = "kernel", .device = Device::cuda, .sources = {builder.write("kernel.cu", "")}};
  const auto flags = [&] {
    return compile(kernel, {.nvcc = nvcc}, builder.path("kernel.so"), {.quick = true}).flags;
  };
  EXPECT_THAT(flags(), Contains("--use_fast_math"));
  kernel.fast_math = false;
  EXPECT_THAT(flags(), Not(Contains("--use_fast_math")));
}

// Some compilers link the C++ library from an archive.
TEST(Compile, HidesSymbolsThatComeFromAnArchive) {
  const KernelBuilder builder;
  const std::string object = builder.path("of_archive.o");
  const std::string archive = builder.path("libof_archive.a");
  const std::string source =
      builder.write("of_archive.cpp", "extern \"C\" int of_archive() { return 1; }");
  const std::string command =
      RKB_CXX " -c -fPIC -o " + object + " " + source + " && ar rcs " + archive + " " + object;
  ASSERT_EQ(std::system(command.c_str()), 0);
  const BuildRecord record = builder.build(
      identity_kernel("extern \"C\" int of_archive();\nint one = of_archive();"), {archive});
  ASSERT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  void* kernel = dlopen(record.library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  ASSERT_NE(kernel, nullptr) << dlerror();
  EXPECT_NE(dlsym(kernel, "rkb_kernel_module"), nullptr);
  EXPECT_EQ(dlsym(kernel, "of_archive"), nullptr);
  dlclose(kernel);
}

// Nvcc's shell would run such names.
TEST(Compile, RefusesANameThatIsACommand) {
  const KernelBuilder builder;
  for (const char* name : {"$(touch owned).cu", "`touch owned`.cu", "a\"b.cu", "a\\b.cu"}) {
    const KernelSource kernel{
        .name = "kernel", .device = Device::cuda, .sources = {builder.write(name, "")}};
    EXPECT_THROW(compile(kernel, {.nvcc = "/bin/false"}, builder.path("kernel.so")), UserError);
  }
}

}  // namespace
}  // namespace robust_kbench
