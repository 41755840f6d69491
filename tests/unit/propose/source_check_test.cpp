#include "propose/source_check.hpp"

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

TEST(SourceCheck, RefusesNamesOfHeadersThatHideCode) {
  for (const char* text :
       {"#if __has_include(<a/*b>)\n#endif\nint hidden; /* end */\n", "#include <a//b>\n",
        "#include \"a\\\" /* x \"\n", "#if 0\n#inc\\\nlude <a'b>\n#endif\n", "#include <a\n",
        "%:include <a/*>\n", "#pragma GCC dependency <a/*>\n"}) {
    EXPECT_THAT(source_fault(text, Device::cpu), HasSubstr("a header's name")) << text;
  }
  for (const char* text :
       {"#include <torch/extension.h>  // all\n", "#include \"../common/a-b.hpp\" /* x */\n",
        "#if __has_include(<a/b.h>) && 1 < 2  // why\n#endif\n", "#define H <a/b>\n#include H\n"}) {
    EXPECT_EQ(source_fault(text, Device::cpu), "") << text;
  }
}

}  // namespace
}  // namespace robust_kbench
