#include "source/tokens.hpp"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> result;
  for (const Token& token : tokenize(source)) {
    if (token.kind != TokenKind::space) result.emplace_back(token.text);
  }
  return result;
}

TokenKind only_kind(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source);
  EXPECT_EQ(tokens.size(), 1U) << source;
  return tokens.empty() ? TokenKind::space : tokens.front().kind;
}

void expect_whole(std::string_view source) {
  std::size_t offset = 0;
  int line = 1;
  for (const Token& token : tokenize(source)) {
    ASSERT_FALSE(token.text.empty());
    ASSERT_EQ(token.offset, offset);
    ASSERT_EQ(token.line, line);
    ASSERT_EQ(token.text, source.substr(offset, token.text.size()));
    offset += token.text.size();
    for (const char c : token.text) line += c == '\n' ? 1 : 0;
  }
  ASSERT_EQ(offset, source.size());
}

TEST(Tokens, AreTheLexicalElements) {
  EXPECT_THAT(texts("for(int i=0;i<=n;++i)a[i]+=.5f*x->y;"),
              ElementsAre("for", "(", "int", "i", "=", "0", ";", "i", "<=", "n", ";", "++", "i",
                          ")", "a", "[", "i", "]", "+=", ".5f", "*", "x", "->", "y", ";"));
}

TEST(Tokens, KeepNumbersWhole) {
  for (const char* number : {"1'000'000", "0x1.8p-3f", "1e+5", "3.f", "0b1010u", ".25E-2"}) {
    EXPECT_EQ(only_kind(number), TokenKind::number) << number;
  }
  EXPECT_THAT(texts("1-2"), ElementsAre("1", "-", "2"));
}

TEST(Tokens, KeepLiteralsWhole) {
  for (const char* string :
       {R"("a \" b")", R"--(R"x( ) " )y" )x")--", R"(u8"z")", "\"a \\\n b\"", "LR\"()\""}) {
    EXPECT_EQ(only_kind(string), TokenKind::string) << string;
  }
  EXPECT_EQ(only_kind(R"('\'')"), TokenKind::character);
  EXPECT_EQ(only_kind("L'x'"), TokenKind::character);
}

TEST(Tokens, KeepCommentsWhole) {
  EXPECT_EQ(only_kind("/* a\n * b */"), TokenKind::comment);
  EXPECT_EQ(only_kind("// a \\\n b"), TokenKind::comment);
  EXPECT_THAT(texts("a // b\r\nc"), ElementsAre("a", "// b", "c"));
}

TEST(Tokens, KeepDirectivesWhole) {
  EXPECT_EQ(only_kind("#define A(x) \\\r\n  #x \"//\" /* \n */ x"), TokenKind::directive);
  EXPECT_THAT(texts("/* a */ #pragma omp\nb # c"),
              ElementsAre("/* a */", "#pragma omp", "b", "#", "c"));
  EXPECT_THAT(texts("a \\\n#b"), ElementsAre("a", "#", "b"));
}

TEST(Tokens, GoOnWhereABackslashContinuesTheLine) {
  for (const char* comment :
       {"/\\\n/ a", "/\\\n* a *\\ \n/", "// a \\ \t\n b", "// a \\\v\r\n b"}) {
    EXPECT_EQ(only_kind(comment), TokenKind::comment) << comment;
  }
  EXPECT_THAT(texts("/* a *\\\n/ b /* c */"), ElementsAre("/* a *\\\n/", "b", "/* c */"));
  EXPECT_THAT(texts("a\\\nb +\\\n= 1\\\n2 \"c\\\\\\\n\"\""),
              ElementsAre("a\\\nb", "+\\\n=", "1\\\n2", "\"c\\\\\\\n\"", "\""));
  EXPECT_THAT(texts("R\"(\\\n)\" a"), ElementsAre("R\"(\\\n)\"", "a"));
  EXPECT_THAT(texts("#if\\ \n 0\nb"), ElementsAre("#if\\ \n 0", "b"));
  EXPECT_THAT(texts("a \\ \n#b"), ElementsAre("a", "#", "b"));
  EXPECT_EQ(without_splices("#i\\ \nf\\\r\n 0\\"), "#if 0\\");
}

TEST(Tokens, KeepOtherSpellingsWhole) {
  EXPECT_THAT(texts("%:if 0\na %: b"), ElementsAre("%:if 0", "a", "%:", "b"));
  EXPECT_THAT(texts("a<:1:>=<%%>;"), ElementsAre("a", "<:", "1", ":>", "=", "<%", "%>", ";"));
  // A scope after < begins no bracket, unless that is all that it can be.
  EXPECT_THAT(texts("a<::b>"), ElementsAre("a", "<", "::", "b", ">"));
  EXPECT_THAT(texts("a<:::b:>"), ElementsAre("a", "<:", "::", "b", ":>"));
}

TEST(Tokens, EndUnterminatedTexts) {
  EXPECT_THAT(texts("\"a\nb"), ElementsAre("\"a", "b"));
  EXPECT_THAT(texts("'a\nb"), ElementsAre("'a", "b"));
  for (const char* text : {"/* a\nb", "R\"x(a\n\"", "\"a\\", "\\", "#", "'", "R\"", "#\\"}) {
    expect_whole(text);
  }
}

// Pieces of everything that begins or ends a token, in 20,000 random orders.
TEST(Tokens, HoldEachByteOfAnyTextOnce) {
  const std::vector<std::string> pieces{"\"", "'",        "\\", "\n", "\r",
                                        "#",  "/*",       "*/", "//", "R\"",
                                        "(",  ")",        "x(", "u8", "0",
                                        "e+", ".",        "<<", ">",  " ",
                                        "\t", "\xc3\xa4", "a",  ";",  std::string(1, '\0')};
  std::uint64_t state = 1;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text += pieces[(state >> 33U) % pieces.size()];
    }
    expect_whole(text);
  }
}

}  // namespace
}  // namespace robust_kbench
