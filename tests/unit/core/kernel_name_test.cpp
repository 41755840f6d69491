#include "core/kernel_name.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(KernelName, LosesReturnTypeParametersAndUnnamedNamespaces) {
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
