#include "process/escape.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using namespace std::string_literals;

TEST(Escaped, KeepsPlainText) {
  const std::string text = "error: expected ‘;’ at line 3\n\tint é 漢 🙂\n";
  EXPECT_EQ(escaped(text), text);
}

TEST(Escaped, EscapesControlCharacters) {
  EXPECT_EQ(escaped("a\x1b[2Jb\rc\bd\x7f"), R"(a\x1b[2Jb\x0dc\x08d\x7f)");
  EXPECT_EQ(escaped("nul \0 csi \xc2\x9b"s), R"(nul \x00 csi \xc2\x9b)");
}

TEST(Escaped, KeepsALineOnOneLine) {
  EXPECT_EQ(escaped_line("scale\x1b[2J\n  numerics finds no error"),
            R"(scale\x1b[2J\x0a  numerics finds no error)");
}

TEST(Escaped, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(escaped("\xff"), R"(\xff)");
  EXPECT_EQ(escaped("cut \xe2\x82"), R"(cut \xe2\x82)");
  EXPECT_EQ(escaped("overlong \xc0\xaf"), R"(overlong \xc0\xaf)");
  EXPECT_EQ(escaped("overlong \xe0\x80\xaf"), R"(overlong \xe0\x80\xaf)");
  EXPECT_EQ(escaped("surrogate \xed\xa0\x80"), R"(surrogate \xed\xa0\x80)");
  EXPECT_EQ(escaped("beyond \xf4\x90\x80\x80"), R"(beyond \xf4\x90\x80\x80)");
}

}  // namespace
}  // namespace robust_kbench
