#include "core/key_spellings.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Removes the spellings of "planted-key-0123" and of a longer key.
std::string without_key(std::string_view text) {
  return KeySpellings({"planted-key-0123", "planted-key-0123-long"}).without_keys(text);
}

TEST(KeySpellings, TakesOutAKeyAsItIs) {
  EXPECT_EQ(without_key("a planted-key-0123, Planted-KEY-0123"), "a [key], [key]");
  EXPECT_EQ(without_key("planted-key-0123-long"), "[key]");
  EXPECT_EQ(without_key("3210-yek-detnalp"), "[key]");
}

TEST(KeySpellings, TakesOutAnEscapedKey) {
  EXPECT_EQ(without_key(R"(planted\u002dkey\x2d0123 \\u{2d})"), R"([key] \\u{2d})");
  EXPECT_EQ(without_key("planted%2Dkey%252D0123 %2D"), "[key] %2D");
  EXPECT_EQ(without_key("planted&#45;key&#x2d;0123&#45;"), "[key]&#45;");
}

TEST(KeySpellings, TakesOutAKeyInParts) {
  EXPECT_EQ(without_key("planted-\n  key-0123"), "[key]");
  EXPECT_EQ(without_key(R"("planted-" + "key-\n0123")"), R"("[key]")");
  EXPECT_EQ(without_key("p-l-a-n-t-e-d"), "p-l-a-n-t-e-d");
}

TEST(KeySpellings, TakesOutAKeyInHexadecimal) {
  EXPECT_EQ(without_key("<706c616e7465642d6b65792d30313233>"), "<[key]>");
  EXPECT_EQ(without_key("70:6C:61:6E:74:65:64:2D:6B:65:79:2D:30:31:32:33"), "[key]");
  EXPECT_EQ(without_key("0x70, 0x6c, 0x61, 0x6e, 0x74, 0x65, 0x64, 0x2d, 0x6b, 0x65, 0x79, 0x2d, "
                        "0x30, 0x31, 0x32, 0x33}"),
            "[key]}");
}

TEST(KeySpellings, TakesOutAKeyInBase64WhereverItBegins) {
  EXPECT_EQ(without_key("cGxhbnRlZC1rZXktMDEyMw=="), "[key]");
  EXPECT_EQ(without_key("YXBsYW50ZWQta2V5LTAxMjN6eg=="), "YX[key]6eg==");
  EXPECT_EQ(without_key("YWJwbGFudGVkLWtleS0wMTIzeg=="), "YWJ[key]eg==");
}

TEST(KeySpellings, LeavesEverythingElse) {
  const char* text = "#include <cmath>\nfloat y = 0x70 / 6.0f; // planted-key, 0123";
  EXPECT_EQ(without_key(text), text);
  EXPECT_EQ(KeySpellings({}).without_keys(text), text);
}

TEST(NamesAKey, IsTrueOfTheUsualEndings) {
  for (const char* name : {"OPENAI_API_KEY", "APIKEY", "HF_TOKEN", "DB_PASSWORD"}) {
    EXPECT_TRUE(names_a_key(name)) << name;
  }
  for (const char* name : {"PATH", "HOME", "KEYBOARD"}) EXPECT_FALSE(names_a_key(name)) << name;
}

}  // namespace
}  // namespace robust_kbench
