#include "process/demangle.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Demangle, DemanglesMangledNamesAndEscapesTheRest) {
  EXPECT_EQ(demangled("_Z3bigPfi"), "big(float*, int)");
  EXPECT_EQ(demangled("_ZN51_GLOBAL__N__4e528e9c_18_chunked_moments_cu_9ff18c5914moments_kernelILi4"
                      "EEEvPKfl"),
            "void (anonymous namespace)::moments_kernel<4>(float const*, long)");
  EXPECT_EQ(demangled("plain"), "plain");
  EXPECT_EQ(demangled("\x1b[2J"), "\\x1b[2J");
}

}  // namespace
}  // namespace robust_kbench
