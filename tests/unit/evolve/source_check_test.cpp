#include "evolve/source_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

TEST(SourceCheck, LetsAnOrdinarySourceBeCompiled) {
  EXPECT_EQ(source_fault("constexpr int n = 4;  // tune: 4, 8\n// options: -O3\n", Device::cpu),
            "");
}

TEST(SourceCheck, RefusesWhatIsEmptyOrTooLong) {
  EXPECT_THAT(source_fault("", Device::cpu), HasSubstr("0 bytes"));
  EXPECT_THAT(source_fault(std::string(2 << 20, 'x'), Device::cpu), HasSubstr("1048576"));
}

TEST(SourceCheck, RefusesOptionsAndTunablesThatAreNotAllowed) {
  EXPECT_NE(source_fault("// options: -wrapper /bin/true\n", Device::cpu), "");
  EXPECT_NE(source_fault("int x;\n// restriction: unknown < 3\n", Device::cuda), "");
}

}  // namespace
}  // namespace robust_kbench
