#include "tune/tunables.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "source/compile_options.hpp"
#include "source/source_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string declared = R"(#define USE_SHARED 1  // tune: 0, 1
using Accumulator = float;  // tune: float, double, std::pair<float, float>
struct Sizes {
  static constexpr int threads = 256;  // tune: 64, 128, 256
  const unsigned packs = 4u;           // tune: auto
};
// restriction: threads * packs <= 1024
)";

std::vector<std::string> names(const TunableSpace& space) {
  std::vector<std::string> result;
  for (const Tunable& tunable : space.tunables()) result.push_back(tunable.name);
  return result;
}

const Tunable& tunable(const TunableSpace& space, const std::string& name) {
  for (const Tunable& candidate : space.tunables()) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range(name);
}

std::string message_of(const std::string& source) {
  try {
    TunableSpace::of(source);
  } catch (const SourceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Tunables, are_declared_by_comments) {
  const TunableSpace space = TunableSpace::of(declared);
  EXPECT_THAT(names(space), ElementsAre("USE_SHARED", "Accumulator", "threads", "packs"));
  EXPECT_THAT(tunable(space, "USE_SHARED").values, ElementsAre("0", "1"));
  EXPECT_THAT(tunable(space, "Accumulator").values,
              ElementsAre("float", "double", "std::pair<float, float>"));
  EXPECT_THAT(tunable(space, "packs").values, ElementsAre("2u", "4u", "8u"));
  EXPECT_EQ(tunable(space, "threads").line, 4);
  EXPECT_TRUE(tunable(space, "threads").declared);
  EXPECT_EQ(space.size(), 2U * 3 * 3 * 3);
  EXPECT_EQ(
      space.current(),
      (Setting{
          {"USE_SHARED", "1"}, {"Accumulator", "float"}, {"threads", "256"}, {"packs", "4u"}}));
}

TEST(Tunables, are_written_into_the_source_and_nothing_else_is) {
  const TunableSpace space = TunableSpace::of(declared);
  EXPECT_EQ(space.apply({}), declared);
  EXPECT_EQ(space.apply(space.current()), declared);
  std::string expected = declared;
  expected.replace(expected.find("float;"), 5, "double");
  expected.replace(expected.find("256;"), 3, "64");
  const std::string written = space.apply({{"Accumulator", "double"}, {"threads", "64"}});
  EXPECT_EQ(written, expected);
  EXPECT_EQ(TunableSpace::of(written).current().at("threads"), "64");
}

TEST(Tunables, take_no_foreign_names_or_values) {
  const TunableSpace space = TunableSpace::of(declared);
  EXPECT_THROW(space.apply({{"threads", "96"}}), SourceError);
  EXPECT_THROW(space.apply({{"blocks", "1"}}), SourceError);
}

TEST(Tunables, keep_a_current_value_that_their_list_lacks) {
  const TunableSpace space = TunableSpace::of("constexpr int threads = 96;  // tune: 64, 128\n");
  EXPECT_THAT(space.tunables()[0].values, ElementsAre("96", "64", "128"));
}

TEST(Tunables, obey_restrictions) {
  const TunableSpace space = TunableSpace::of(declared);
  Setting setting = space.current();
  EXPECT_TRUE(space.allows(setting));
  setting["packs"] = "8u";
  EXPECT_FALSE(space.allows(setting));
  setting["threads"] = "128";
  EXPECT_TRUE(space.allows(setting));
  setting["threads"] = "100";
  EXPECT_FALSE(space.allows(setting));
  setting["threads"] = "128";
  setting["blocks"] = "1";
  EXPECT_FALSE(space.allows(setting));
  setting.erase("threads");
  EXPECT_FALSE(space.allows(setting));
}

TEST(Tunables, do_not_obey_a_restriction_without_an_answer) {
  const TunableSpace space =
      TunableSpace::of("constexpr int n = 1;  // tune: 0, 1\n// restriction: 4 / n == 4\n");
  EXPECT_TRUE(space.allows({{"n", "1"}}));
  EXPECT_FALSE(space.allows({{"n", "0"}}));
}

TEST(Tunables, obey_restrictions_by_facts_of_the_device) {
  const std::string source =
      "constexpr int tile = 64;  // tune: 64, 128\n"
      "// restriction: 4 * tile * tile <= shared_memory_per_block\n";
  const Setting large = {{"tile", "128"}};
  EXPECT_FALSE(TunableSpace::of(source, {{"shared_memory_per_block", 49152}}).allows(large));
  EXPECT_TRUE(TunableSpace::of(source, {{"shared_memory_per_block", 99000}}).allows(large));
  EXPECT_TRUE(TunableSpace::of(source).allows(large));
}

TEST(Tunables, have_a_size_that_does_not_overflow) {
  std::string source;
  for (int i = 0; i < 64; ++i) {
    source += "constexpr int n" + std::to_string(i) + " = 2;  // tune: auto\n";
  }
  EXPECT_EQ(TunableSpace::of(source).size(), std::numeric_limits<std::uint64_t>::max());
}

TEST(Tunables, are_offered_where_a_constant_sizes_the_work) {
  const TunableSpace space = TunableSpace::of(R"(
constexpr int kThreads = 256;
constexpr int kBound = 128;
#define EXTENT (2 * HALF)
#define HALF 8
const int kUnroll = 4;
constexpr int kStrip = 512;
constexpr int kLast = 32, kNone = 1;
constexpr int kPack = 1;
constexpr int kGrid = 2;
constexpr int kInner = 16;
constexpr int kAlone = 64;
constexpr float kEps = 1e-5f;
constexpr int kHex = 0x20;
__global__ void __launch_bounds__(kBound) f(float* x, int n) {
  float rows[3][EXTENT];
  std::array<float, kInner> more;
  float hex[kHex];
#pragma unroll kUnroll
  for (int i = 0; i < n; i += kStrip) x[i + kAlone] = kEps;
}
void launch(float* x, int n) {
  const dim3 block(kThreads, 1);
  const int blocks = (n + kGrid - 1) / kGrid;
  f<kPack><<<blocks, block, 0, stream>>>(x, n);
}
)");
  EXPECT_THAT(names(space), ElementsAre("kThreads", "kBound", "HALF", "kUnroll", "kStrip", "kPack",
                                        "kGrid", "kInner"));
  EXPECT_THAT(tunable(space, "kThreads").values, ElementsAre("128", "256", "512"));
  EXPECT_THAT(tunable(space, "kPack").values, ElementsAre("1", "2"));
  EXPECT_FALSE(tunable(space, "kThreads").declared);
}

TEST(Tunables, are_not_offered_where_a_name_may_mean_two_constants) {
  EXPECT_THAT(names(TunableSpace::of("void f() { constexpr int n = 4; float x[n]; }\n"
                                     "void g() { constexpr int n = 8; float x[n]; }\n")),
              IsEmpty());
}

TEST(Tunables, may_be_declared_elsewhere) {
  const std::string source =
      "#define block_size_x 16\n"
      "constexpr int tile = 1;  // tune: 1, 2\n";
  const TunableSpace space = TunableSpace::of(
      source, {},
      {{{"block_size_x", {"16", "32"}}, {"tile", {"1", "4"}}}, {"block_size_x * tile < 128"}});
  EXPECT_THAT(names(space), ElementsAre("block_size_x", "tile"));
  EXPECT_THAT(tunable(space, "tile").values, ElementsAre("1", "4"));
  EXPECT_TRUE(space.allows({{"block_size_x", "16"}, {"tile", "4"}}));
  EXPECT_FALSE(space.allows({{"block_size_x", "32"}, {"tile", "4"}}));
  EXPECT_THROW(TunableSpace::of(source, {}, {{{"missing", {"1"}}}, {}}), SourceError);
}

TEST(Tunables, may_stand_in_lines_of_other_systems) {
  const TunableSpace space = TunableSpace::of(
      "constexpr int a = 1;  // tune: 1, 2\r\n#define B 4  // tune: 4, 8\r\nint f();\r\n");
  EXPECT_THAT(names(space), ElementsAre("a", "B"));
  EXPECT_EQ(space.apply({{"a", "2"}, {"B", "8"}}),
            "constexpr int a = 2;  // tune: 1, 2\r\n#define B 8  // tune: 4, 8\r\nint f();\r\n");
}

TEST(Tunables, are_no_text_in_literals_and_prose) {
  EXPECT_THAT(names(TunableSpace::of("const char* text = \"// tune: 1, 2\";\n"
                                     "// It pays to tune: this is prose.\n"
                                     "/* tune: 1 */\n")),
              IsEmpty());
}

TEST(Tunables, that_are_malformed_are_refused_with_line_and_remedy) {
  EXPECT_EQ(message_of("\nint x;  // tune: 1, 2\n"),
            "line 2: 'tune: 1, 2': no constant ends before this comment; put it on the line of one "
            "`constexpr`, `const`, `#define` or `using`, as in `constexpr int threads = 256;  // "
            "tune: 64, 128, 256`");
  for (const std::string line :
       {"// tune: 1, 2", "int f();  // tune: 1", "x = 4;  // tune: 2, 4",
        "constexpr int a = 1, b = 2;  // tune: 1, 2", "#define F(x) 4  // tune: 4, 8",
        "#define A  // tune: 4, 8", "void f(const int a = 4);  // tune: 4, 8"}) {
    EXPECT_THAT(message_of(line + "\n"), HasSubstr("no constant ends before")) << line;
  }
  const std::string constant = "constexpr int n = 1;  // tune: ";
  EXPECT_THAT(message_of(constant + "\n"), HasSubstr("a value is empty"));
  EXPECT_THAT(message_of(constant + "1,,2\n"), HasSubstr("a value is empty"));
  EXPECT_THAT(message_of(constant + "1, 2, 1\n"), HasSubstr("1 is there twice"));
  EXPECT_THAT(message_of("using T = float;  // tune: auto\n"), HasSubstr("no integer"));
  EXPECT_THAT(message_of(constant + "1\n" + constant + "2\n"), HasSubstr("this name, too"));
}

TEST(Tunables, have_restrictions_over_known_integers_alone) {
  EXPECT_THAT(message_of("// restriction: blocks > 1\n"),
              HasSubstr("line 1: 'blocks > 1': 'blocks' is no tunable and no fact of a device; "
                        "known are shared_memory_per_block"));
  EXPECT_THAT(message_of("using T = float;  // tune: float, double\n// restriction: T > 1\n"),
              HasSubstr("'T' has values that are no integers"));
}

TEST(Tunables, of_compile_options_are_their_alternatives) {
  const std::string source = "// options: -O3  // tune: -O3, -O2 -funroll-loops, none\nint f();\n";
  EXPECT_THAT(compile_options_of(source, false), ElementsAre("-O3"));
  const TunableSpace space = TunableSpace::of(source);
  ASSERT_EQ(space.tunables().size(), 1U);
  EXPECT_EQ(space.tunables()[0].name, "options");
  EXPECT_EQ(space.tunables()[0].current, "-O3");
  EXPECT_THAT(space.tunables()[0].values, ElementsAre("-O3", "-O2 -funroll-loops", "none"));
  const std::string other = space.apply({{"options", "-O2 -funroll-loops"}});
  EXPECT_EQ(other,
            "// options: -O2 -funroll-loops  // tune: -O3, -O2 -funroll-loops, none\nint f();\n");
  EXPECT_THAT(compile_options_of(other, false), ElementsAre("-O2", "-funroll-loops"));
  EXPECT_THAT(compile_options_of(space.apply({{"options", "none"}}), false), IsEmpty());
  EXPECT_THROW(TunableSpace::of("// options: // tune: -O3, -O2\n"), SourceError);
}

}  // namespace
}  // namespace robust_kbench
