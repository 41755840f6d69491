#include <cstring>
#include <dlfcn.h>
#include <kernel/robust_kbench_abi.h>

#include "kernel_fixture.hpp"
#include "worker/table.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class KernelLoad : public KernelTest {
 protected:
  std::string refused(const std::string& kernel, const std::string& entry = "forward") {
    const SubjectError error = failure(kernel, entry);
    EXPECT_EQ(error.failure(), Failure::load_error);
    return error.what();
  }
};

TEST_F(KernelLoad, ReportsTheSignature) {
  const Loaded loaded = load("arguments", "defaults");
  EXPECT_EQ(loaded.headers, KernelHeaders::shim);
  ASSERT_EQ(loaded.parameters.size(), 4U);
  EXPECT_EQ(loaded.parameters[0].name, "x");
  EXPECT_EQ(loaded.parameters[0].kind, RKB_TENSOR);
  EXPECT_FALSE(loaded.parameters[0].has_default);
  EXPECT_EQ(loaded.parameters[2].name, "eps");
  EXPECT_EQ(loaded.parameters[2].kind, RKB_DOUBLE);
  EXPECT_TRUE(loaded.parameters[2].has_default);
  EXPECT_EQ(loaded.parameters[3].kind, RKB_INT);
}

TEST_F(KernelLoad, ReportsOptionalAndUnnamedParameters) {
  EXPECT_TRUE(load("arguments", "optionals").parameters.at(0).optional);
  const Loaded loaded = load("arguments", "tuples");
  EXPECT_EQ(loaded.parameters.at(0).name, "");
  EXPECT_EQ(loaded.parameters.at(0).kind, RKB_TUPLE);
}

TEST_F(KernelLoad, ListsTheFunctionsOfAKernelWithoutTheEntry) {
  EXPECT_THAT(refused("views"),
              HasSubstr("module has no 'forward', but 'shapes', 'orders', 'parts', "
                        "'impossible_view', 'wrong_view', 'wrong_dimension'; name the one"));
}

TEST_F(KernelLoad, RefusesALibraryThatIsNoKernel) {
  EXPECT_THAT(refused("nowhere"), HasSubstr("cannot open shared object file"));
  EXPECT_THAT(refused("no_module"), HasSubstr("the kernel has no PYBIND11_MODULE"));
  EXPECT_THAT(refused("undefined_symbol"), HasSubstr("undefined symbol"));
  EXPECT_THAT(refused("throwing_module"), EndsWith("PYBIND11_MODULE failed: nothing here"));
  EXPECT_THAT(refused("other_version"), HasSubstr("built for version 2"));
  EXPECT_THAT(refused("other_headers"), HasSubstr("names its headers 'mine'"));
  for (const char* kernel : {"nowhere", "no_module", "undefined_symbol", "throwing_module"}) {
    EXPECT_THAT(refused(kernel), Not(HasSubstr(".so: "))) << kernel;
  }
}

TEST_F(KernelLoad, RefusesCallsBeforeAnyLoad) {
  EXPECT_THROW(m_subject.prepare({Call{}}), SubjectError);
}

// Both sides check the version. This is the kernel's check.
TEST_F(KernelLoad, AKernelRefusesAnotherTable) {
  load("views", "shapes");
  void* library = dlopen(SHIM_KERNELS "views.so", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  const auto entry =
      reinterpret_cast<decltype(&rkb_kernel_module)>(dlsym(library, RKB_KERNEL_MODULE_SYMBOL));
  rkb_table table = worker_table();
  table.version = RKB_ABI_VERSION + 1;
  EXPECT_EQ(entry(&table), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("the worker has version 2"));
  table = worker_table();
  table.size = sizeof(rkb_table) - 8;
  EXPECT_EQ(entry(&table), nullptr);
  EXPECT_THAT(last_error(), EndsWith("compile the kernel again"));
  EXPECT_NE(entry(&worker_table()), nullptr);
}

}  // namespace
}  // namespace robust_kbench
