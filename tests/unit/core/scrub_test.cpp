#include "core/scrub.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::Not;

std::string scrubbed(std::string_view text) {
  return Scrubber(
             PersonalPaths({"/suite/archive", "/gpfs/proj/my build/"}, {"alice", "me", "root"}),
             {"planted-key", "abc"})
      .scrubbed(text);
}

TEST(Scrubber, LeavesTheLastPartOfAPath) {
  EXPECT_EQ(scrubbed("/home/me/a-b/kernel.cu:12:3: error: /tmp/x_y/k.h"),
            ".../kernel.cu:12:3: error: .../k.h");
  EXPECT_EQ(scrubbed("in \"/suite/archive/content/ab/cd\""), "in \".../cd\"");
  EXPECT_EQ(scrubbed("-I/work/build/ and /root/"), "-I.../build/ and .../root/");
}

TEST(Scrubber, LeavesNothingOfAHome) {
  EXPECT_EQ(scrubbed("/home/bob.smith: in /home/bob-2/. Or /nfs/home/bob."),
            "...: in .../. Or ....");
  EXPECT_EQ(scrubbed("-I/home/alice/ -I/Users/bob -L/home/bob/lib"), "-I.../ -I... -L.../lib");
  EXPECT_EQ(scrubbed("/home/jos\xC3\xA9/k.cu, /home/jos\xC3\xA9"), ".../k.cu, ...");
}

TEST(Scrubber, LeavesNothingOfOurDirectories) {
  EXPECT_EQ(scrubbed("/suite/archive, /suite/archive/ and /suite/archive/a/b"),
            "..., .../ and .../b");
  const char* others = "/suite/archive-2/a /suite/archives/a /suite";
  EXPECT_EQ(scrubbed(others), others);
}

TEST(Scrubber, TakesThePathsOutThatNameAPerson) {
  EXPECT_EQ(scrubbed("/gpfs/u/alice/build/k.cu:3, -I/gpfs/u/alice, alice/notes/k.h"),
            ".../k.cu:3, -I..., .../k.h");
  const char* others = "/gpfs/u/malice/k.cu, alice, /gpfs/alice.txt, 1.0f/me/x, /gpfs/root";
  EXPECT_EQ(scrubbed(others), others);
}

TEST(Scrubber, TakesThePartsBehindASpaceOut) {
  EXPECT_EQ(scrubbed("/gpfs/proj/my build/bin/rkb: failed"), ".../rkb: failed");
  EXPECT_EQ(scrubbed("\"/home/bob/secret plan/a b.cu\" and '/home/bob/x'"),
            "\".../a b.cu\" and '.../x'");
  EXPECT_EQ(scrubbed("/home/bob/my\\ secret/plan\\ b/k.cu:1"), ".../k.cu:1");
  EXPECT_EQ(scrubbed("/home/bob/My Secret Plans/for May/k.cu:12: error"), ".../k.cu:12: error");
  EXPECT_EQ(scrubbed("/tmp/a.cu -o /tmp/b.o, /tmp/c. Then a/b"),
            ".../a.cu -o .../b.o, .../c. Then a/b");
}

TEST(Scrubber, LeavesPathsThatIdentifyNobody) {
  const char* text = "/usr/local/cuda/include/cuda.h, a / home, b/homes, // tmp: x /= 2; </b>";
  EXPECT_EQ(scrubbed(text), text);
}

TEST(Scrubber, TakesThePathsOfAHomeOutThatIsNotNamed) {
  EXPECT_EQ(scrubbed("~/notes/k.h:3, -I~/a/b and x = ~/* */y"),
            ".../k.h:3, -I.../b and x = ~/* */y");
}

TEST(Scrubber, TakesThePathsBelowThisMachinesRootOut) {
  EXPECT_THAT(places_of_this_machine(), Not(Contains("/usr/")));
  const Scrubber scrubber(PersonalPaths({}, {}, {"/lustre/"}), {});
  EXPECT_EQ(scrubber.scrubbed(std::string_view("/lustre/p7/k.cu, /gpfs/p7/k.cu")),
            ".../k.cu, /gpfs/p7/k.cu");
}

TEST(Scrubber, LeavesTheDecimalsOfAConstant) {
  const char* text = "constexpr double pi = 3.141592653589793238462643383279502884;";
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
  const Scrubber scrubber(PersonalPaths({}, {}), {"planted-key"});
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

TEST(Scrubber, KnowsTheDirectoriesAndTheUser) {
  const char* user = std::getenv("USER");
  const std::string before = user == nullptr ? "" : user;
  setenv("USER", "planted-user", 1);
  const Scrubber scrubber = usual_scrubber("evolution", {"/gpfs/build"});
  if (user == nullptr) {
    unsetenv("USER");
  } else {
    setenv("USER", before.c_str(), 1);
  }
  const std::string text = "/x/planted-user/k.h, /gpfs/build/k.o, " +
                           (std::filesystem::current_path() / "evolution/ab/cd").string();
  EXPECT_EQ(scrubber.scrubbed(std::string_view(text)), ".../k.h, .../k.o, .../cd");
}

}  // namespace
}  // namespace robust_kbench
