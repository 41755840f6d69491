#include "core/utf8.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Utf8, CutsNoCharacter) {
  const std::string text = "aé漢🙂";  // characters of 1, 2, 3 and 4 bytes
  EXPECT_EQ(utf8_prefix(text, 10), text);
  EXPECT_EQ(utf8_prefix(text, 9), "aé漢");
  EXPECT_EQ(utf8_prefix(text, 5), "aé");
  EXPECT_EQ(utf8_prefix(text, 2), "a");
  EXPECT_EQ(utf8_prefix(text, 0), "");
}

TEST(Utf8, GivesTheFirstLineAlone) {
  EXPECT_EQ(first_line("one 漢\ntwo", 160), "one 漢");
  EXPECT_EQ(first_line("one 漢\ntwo", 6), "one ");
  EXPECT_EQ(first_line("", 6), "");
}

TEST(Utf8, ReplacesInvalidBytes) {
  const std::string text = "plain, é, 漢 and 🙂\n";
  EXPECT_EQ(valid_utf8(text), text);
  EXPECT_EQ(valid_utf8("caf\xe9!"), "caf\uFFFD!");
  EXPECT_EQ(valid_utf8("cut \xe2\x82"), "cut \uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
}

}  // namespace
}  // namespace robust_kbench
