#include "source/frozen_regions.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string region = "// frozen: begin\nint a = 1;\n// frozen: end\n";

std::vector<std::string> region_texts(const std::string& source) {
  std::vector<std::string> texts;
  for (const FrozenRegion& found : frozen_regions(source)) texts.push_back(found.text);
  return texts;
}

TEST(FrozenRegions, AreTheLinesBetweenTheMarkers) {
  EXPECT_THAT(region_texts("a\n  // frozen: begin\nb\nc\n// frozen: end\r\nd\n// frozen: begin\ne"),
              ElementsAre("b\nc\n", "e"));
  EXPECT_THAT(region_texts("// frozen: begin"), ElementsAre(""));
  EXPECT_THAT(region_texts("// frozen: begin\r\n  // frozen: end\n"), ElementsAre(""));
  EXPECT_THAT(region_texts("int frozen; // frozen: begin here"), IsEmpty());
  EXPECT_THAT(region_texts("int frozen; // frozen: begin\n"), IsEmpty());
  EXPECT_THAT(region_texts(""), IsEmpty());
}

TEST(FrozenRegions, EndAtNoMarkerWithinALiteral) {
  const std::string text = "auto a = R\"(\n// frozen: end\n)\";\n";
  EXPECT_THAT(region_texts("// frozen: begin\n" + text + "// frozen: end\n"), ElementsAre(text));
}

TEST(FrozenRegions, AreNoneWithinACommentALiteralOrADirective) {
  EXPECT_THAT(region_texts("/*\n" + region + "*/\n"), IsEmpty());
  EXPECT_THAT(region_texts("auto a = R\"(\n" + region + ")\";\n"), IsEmpty());
  EXPECT_THAT(region_texts("#define A \\\n" + region), IsEmpty());
  EXPECT_THAT(region_texts("// continued \\ \n" + region), IsEmpty());
}

TEST(FrozenRegions, DifferWhereTheyAreCompiledOnAnotherCondition) {
  const auto plain = frozen_regions(region);
  for (const char* condition :
       {"#if 0", "#ifdef OLD", " # if 0 // why", "#if 1\n#else", "#i\\ \nf 0", "%:if 0"}) {
    EXPECT_NE(frozen_regions(std::string(condition) + "\n" + region + "#endif\n"), plain)
        << condition;
  }
  EXPECT_EQ(frozen_regions("#if 1\nint b;\n#else\n#endif\n" + region), plain);
  const auto guarded = frozen_regions("#ifdef FAST\n" + region + "#endif\n");
  EXPECT_EQ(frozen_regions("int b;\n#ifdef  FAST  // still\n" + region + "#endif\n"), guarded);
  EXPECT_NE(frozen_regions("#ifdef SLOW\n" + region + "#endif\n"), guarded);
}

TEST(FrozenRegions, DifferWithinOtherBrackets) {
  const auto plain = frozen_regions("namespace {}\n" + region);
  EXPECT_EQ(frozen_regions("int f(int b) { return b; }\n" + region), plain);
  EXPECT_NE(frozen_regions("namespace unused {\n" + region + "}\n"), plain);
  EXPECT_NE(frozen_regions("DISCARD(\n" + region + ")\n"), plain);
}

TEST(FrozenRegions, CountTheOtherSpellingsOfBrackets) {
  const auto plain = frozen_regions(region);
  EXPECT_NE(frozen_regions("namespace unused <%\n" + region + "%>\n"), plain);
  EXPECT_NE(frozen_regions("namespace unused <\\\n%\n" + region + "}\n"), plain);
  EXPECT_NE(frozen_regions("int b<:\n" + region + ":>;\n"), plain);
  EXPECT_EQ(frozen_regions("int b<:2:> = <%1, 2};\n" + region), plain);
  EXPECT_EQ(frozen_regions("std::vector<::a::b> c;\n" + region), plain);
}

TEST(FrozenRegions, DifferWhereAMacroMayChangeThem) {
  const auto plain = frozen_regions(region);
  for (const char* macro : {"#define a dead_a", "%:define int long", "#undef a",
                            "#define a dead_a\n#undef a", "#if 0\n#define a b\n#endif"}) {
    EXPECT_NE(frozen_regions(std::string(macro) + "\n" + region), plain) << macro;
  }
  EXPECT_EQ(frozen_regions("#define b 4\n#define c(a) a\n#undef d\n" + region), plain);
  const std::string first = "#define a b\n";
  const std::string other = "#define b c\n";
  EXPECT_NE(frozen_regions(first + region), frozen_regions(region + first));
  EXPECT_NE(frozen_regions(first + region), frozen_regions("#define a c\n" + region));
  EXPECT_NE(frozen_regions(first + region),
            frozen_regions("#ifdef FAST\n" + first + "#endif\n" + region));
  EXPECT_NE(frozen_regions(first + other + region), frozen_regions(first + region));
  EXPECT_EQ(frozen_regions("int d;\n#define  a  b  // still\n" + region),
            frozen_regions(first + region));
}

}  // namespace
}  // namespace robust_kbench
