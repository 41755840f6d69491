#include "archive/scrub.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::string scrubbed(std::string_view text) {
  return Scrubber({"/suite/archive"}, {"planted-key", "abc"}).scrubbed(text);
}

TEST(Scrubber, LeavesTheLastPartOfAPath) {
  EXPECT_EQ(scrubbed("/home/me/a-b/kernel.cu:12:3: error: /tmp/x_y/k.h"),
            ".../kernel.cu:12:3: error: .../k.h");
  EXPECT_EQ(scrubbed("in \"/suite/archive/content/ab/cd\""), "in \".../cd\"");
  EXPECT_EQ(scrubbed("-I/work/build/ and /root/"), "-I.../build/ and .../root/");
}

TEST(Scrubber, LeavesWhatIsNoPersonsPath) {
  const char* text = "/usr/local/cuda/include/cuda.h, a / home, b/homes, // tmp: x /= 2; </b>";
  EXPECT_EQ(scrubbed(text), text);
}

TEST(Scrubber, TakesKeysOut) {
  EXPECT_EQ(scrubbed("planted-key, say (sk-proj_0123456789-abcdef), AIzaSyA0123456789abcdefg"),
            "[key], say ([key]), [key]");
  EXPECT_EQ(scrubbed("sk-short ask-me-again-whenever-you-like"),
            "sk-short ask-me-again-whenever-you-like");
}

TEST(Scrubber, TakesMarksOut) {
  const std::string mark = "0123456789abcdef01234567";
  EXPECT_EQ(scrubbed("<<" + mark + ">> " + mark + mark), "<<[mark]>> [mark]");
  const std::string others = "0123456789abcdef0x ABCDEFABCDEFABCDEFABCDEF " + mark.substr(1);
  EXPECT_EQ(scrubbed(others), others);
}

TEST(Scrubber, ReachesTextsInJson) {
  const Scrubber scrubber({}, {"planted-key"});
  const nlohmann::json value{{"list", {"a\nplanted-key", 1, nullptr}}, {"text", "/home/me/x"}};
  EXPECT_EQ(scrubber.scrubbed(value),
            nlohmann::json({{"list", {"a\n[key]", 1, nullptr}}, {"text", ".../x"}}));
}

TEST(Scrubber, KnowsTheKeysOfTheEnvironment) {
  setenv("RKB_TEST_API_KEY", "a-planted-key", 1);
  const std::string text = usual_scrubber("/a").scrubbed(std::string_view("it is a-planted-key"));
  unsetenv("RKB_TEST_API_KEY");
  EXPECT_EQ(text, "it is [key]");
}

}  // namespace
}  // namespace robust_kbench
