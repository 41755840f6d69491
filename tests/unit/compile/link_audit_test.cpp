#include "compile/link_audit.hpp"

#include <cstdlib>

#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

// Expects the kernel's build to report a fault, although no worker has loaded the library.
void expect_fault(const BuildRecord& record, const std::string& reason) {
  EXPECT_EQ(record.judgement.verdict, Verdict::load_error);
  EXPECT_THAT(record.judgement.reason, HasSubstr(reason));
  EXPECT_EQ(record.library, "");
}

TEST(LinkAudit, NamesAnUndefinedSymbol) {
  expect_fault(
      KernelBuilder().build(identity_kernel("int far_away(int);\nint near = far_away(1);")),
      "far_away(int)");
}

TEST(LinkAudit, SaysThatTorchIsNotThere) {
  expect_fault(KernelBuilder().build(identity_kernel(
                   "namespace at::native { int hidden(int); }\nint near = at::native::hidden(1);")),
               "no kernel over shim headers is linked with");
}

TEST(LinkAudit, LeavesTorchsLibrariesToKernelsOverItsHeaders) {
  const KernelBuilder builder;
  const std::string torch = builder.path("libtorch_cpu.so");
  const std::string source = builder.write("torch.cpp", "int far_away() { return 1; }");
  const std::string command =
      RKB_CXX " -shared -fPIC -Wl,-soname,libtorch_cpu.so -o " + torch + " " + source;
  ASSERT_EQ(std::system(command.c_str()), 0);
  expect_fault(builder.build(identity_kernel("int far_away();\nint near = far_away();"), {torch}),
               "links libtorch_cpu.so");
}

TEST(LinkAudit, AsksForAModule) {
  expect_fault(KernelBuilder().build("int nothing() { return 0; }"), "has no PYBIND11_MODULE");
}

TEST(LinkAudit, NamesALibraryThatIsNotThere) {
  const KernelBuilder builder;
  const std::string gone = builder.path("libgone.so");
  const std::string source = builder.write("gone.cpp", "int gone() { return 1; }");
  const std::string command =
      RKB_CXX " -shared -fPIC -Wl,-soname,libgone.so -o " + gone + " " + source;
  ASSERT_EQ(std::system(command.c_str()), 0);
  expect_fault(builder.build(identity_kernel("int gone();\nint near = gone();"), {gone}),
               "needs libgone.so");
}

TEST(LinkAudit, RefusesAnExecutableStack) {
  expect_fault(KernelBuilder().build(identity_kernel(), {"-Wl,-z,execstack"}), "executable stack");
}

TEST(LinkAudit, RefusesTextRelocations) {
  expect_fault(
      KernelBuilder().build(identity_kernel("asm(\".text\\n.quad rkb_kernel_module\\n\");"),
                            {"-Wl,-z,notext"}),
      "text relocations");
}

// The kernel calls cuBLAS by the handle that torch gives. Its worker opens the library.
TEST(LinkAudit, LeavesCudasLibrariesToTheWorker) {
  const KernelBuilder builder;
  const std::string source = builder.write("blas.cpp",
                                           "extern \"C\" int cublasSgemm_v2();\nextern \"C\" int "
                                           "rkb_kernel_module() { return cublasSgemm_v2(); }");
  const std::string library = builder.path("blas.so");
  const std::string command = RKB_CXX " -shared -fPIC -o " + library + " " + source;
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(link_fault(library, true), "");
  EXPECT_THAT(link_fault(library, false), HasSubstr("cublasSgemm_v2"));
}

TEST(LinkAudit, RecognisesAFileThatIsNoSharedObject) {
  const KernelBuilder builder;
  EXPECT_THAT(link_fault(builder.write("text.so", "hello"), false), HasSubstr("text.so"));
}

}  // namespace
}  // namespace robust_kbench
