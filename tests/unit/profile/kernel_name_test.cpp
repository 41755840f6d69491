#include "profile/kernel_name.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(KernelName, DemanglesWhatIsMangledAndEscapesTheRest) {
  EXPECT_EQ(demangled("_Z3bigPfi"), "big(float*, int)");
  EXPECT_EQ(demangled("_ZN51_GLOBAL__N__4e528e9c_18_chunked_moments_cu_9ff18c5914moments_kernelILi4"
                      "EEEvPKfl"),
            "void (anonymous namespace)::moments_kernel<4>(float const*, long)");
  EXPECT_EQ(demangled("plain"), "plain");
  EXPECT_EQ(demangled("\x1b[2J"), "\\x1b[2J");
}

TEST(KernelName, ShortensToWhatAPersonCallsIt) {
  EXPECT_EQ(short_kernel_name("void (anonymous namespace)::norm<4>(float const*, long)"),
            "norm<4>");
  EXPECT_EQ(short_kernel_name("big(float *, int)"), "big");
  EXPECT_EQ(short_kernel_name("void a::b<c(int), (d)2>(std::array<int, 2>)"), "a::b<c(int), (d)2>");
  EXPECT_EQ(short_kernel_name("<unnamed>::norm(void (*)(int))"), "norm");
  EXPECT_EQ(short_kernel_name("plain"), "plain");
  EXPECT_EQ(short_kernel_name(""), "");
}

}  // namespace
}  // namespace robust_kbench
