#include "prompt/kernel_answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

constexpr const char* mark = "0123456789abcdef01234567";

KernelAnswer kernel_of(const std::string& answer, Device device = Device::cuda) {
  const ParsedKernelAnswer parsed = parse_kernel_answer(answer, device, mark);
  EXPECT_EQ(parsed.reason, "");
  return parsed.kernel.value_or(KernelAnswer{});
}

std::string reason_of(const std::string& answer, Device device = Device::cuda) {
  const ParsedKernelAnswer parsed = parse_kernel_answer(answer, device, mark);
  EXPECT_FALSE(parsed.kernel);
  return parsed.reason;
}

const std::string whole =
    "I thought about <cuda> and </cuda> for long.\n"
    "<name>\nwarp_rows\n</name>\n"
    "<description>A warp takes a row.\nIt adds by shuffles.</description>\n"
    "<strategy>a warp for each row\nmore</strategy>\n"
    "<cuda>\n#include <torch/extension.h>\nint x;\n</cuda>\nThat is all.\n";

TEST(KernelAnswer, HasTheElementsOfTheAnswer) {
  const KernelAnswer kernel = kernel_of(whole);
  EXPECT_EQ(kernel.name, "warp_rows");
  EXPECT_EQ(kernel.description, "A warp takes a row.\nIt adds by shuffles.");
  EXPECT_EQ(kernel.strategy, "a warp for each row");
  EXPECT_EQ(kernel.code, "#include <torch/extension.h>\nint x;\n");
}

TEST(KernelAnswer, MayHaveTheSourceAlone) {
  EXPECT_EQ(kernel_of("<cpp>int x;</cpp>", Device::cpu).code, "int x;\n");
  EXPECT_EQ(kernel_of("  <cuda>\r\nint x;\r\n</cuda>\r\n").code, "int x;\n");
  EXPECT_EQ(kernel_of("<cuda>\nint x;\n</cuda> That is all.\n").code, "int x;\n");
}

TEST(KernelAnswer, MayHaveABlockWithinTheElement) {
  EXPECT_EQ(kernel_of("<cuda>\n```cuda\nint x;\n```\n</cuda>").code, "int x;\n");
}

TEST(KernelAnswer, MayBeTheOnlyBlockWithAModule) {
  const std::string block = "```cpp\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n```\n";
  const std::string sketch = "The idea:\n```\nfor each row\n```\n";
  EXPECT_EQ(kernel_of(sketch + block).code, "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n");
  EXPECT_THAT(reason_of(block + block), HasSubstr("several blocks"));
  EXPECT_THAT(reason_of(sketch), HasSubstr("no <cuda> element"));
  EXPECT_THAT(reason_of("```\nPYBIND11_MODULE"), HasSubstr("no <cuda> element"));
}

TEST(KernelAnswer, IsRefusedWhereNothingSaysWhichTextIsMeant) {
  EXPECT_THAT(reason_of(""), HasSubstr("no <cuda> element"));
  EXPECT_THAT(reason_of(whole + "<cuda>\nint y;\n</cuda>\n"), HasSubstr("two elements <cuda>"));
  EXPECT_THAT(reason_of(whole + "<name>\nother\n</name>\n"), HasSubstr("two elements <name>"));
  EXPECT_THAT(reason_of("<cuda>\nint x;\n"), HasSubstr("<cuda> is not closed"));
  EXPECT_THAT(reason_of("<cuda>\n<cuda>\nint x;\n</cuda>\n</cuda>\n"),
              HasSubstr("<cuda> stands within <cuda>"));
  EXPECT_THAT(reason_of("<description>\n<cuda>\nint x;\n</cuda>\n</description>\n"),
              HasSubstr("<cuda> stands within <description>"));
  EXPECT_THAT(reason_of("<cuda>\n\n</cuda>\n"), HasSubstr("<cuda> is empty"));
  EXPECT_THAT(reason_of("<cpp>\nint x;\n</cpp>\n"), HasSubstr("<cpp> where <cuda>"));
}

TEST(KernelAnswer, IsRefusedWithANameThatCouldBeAPath) {
  for (const char* const name : {"../x", "a/b", "Upper", "two words", "a.b", "\xc3\xa4"}) {
    EXPECT_THAT(reason_of(std::string("<name>") + name + "</name>\n<cuda>\nint x;\n</cuda>"),
                HasSubstr("a name has 1 to 48"))
        << name;
  }
  EXPECT_TRUE(is_answer_name(std::string(48, 'a')));
  EXPECT_FALSE(is_answer_name(std::string(49, 'a')));
  EXPECT_FALSE(is_answer_name(""));
}

// A prompt has an example in the form of an answer before its mark, and other sources behind it.
TEST(KernelAnswer, DoesNotTakeWhatItRepeatsOfThePrompt) {
  const std::string prompt = "<name>\nplain\n</name>\n<cuda>\nint example;\n</cuda>\n" +
                             std::string("The mark of this message is ") + mark + ".\n[" + mark +
                             " begin: source]\n<cuda>\nint old;\n</cuda>\n[" + mark +
                             " end: source]\nWrite one new kernel.\n";
  EXPECT_THAT(reason_of(prompt), HasSubstr("no <cuda> element"));
  EXPECT_EQ(kernel_of(prompt + whole).code, "#include <torch/extension.h>\nint x;\n");
  EXPECT_THAT(reason_of(whole + prompt), HasSubstr("no <cuda> element"));
}

}  // namespace
}  // namespace robust_kbench
