#include "runs/recorded.hpp"

#include "core/error.hpp"
#include "run_fixture.hpp"

namespace robust_kbench {
namespace {

class RecordedTest : public RunFixture {};

TEST_F(RecordedTest, ANewRunIsNotKnown) {
  EXPECT_EQ(known_run("", "", place()), std::nullopt);
}

TEST_F(RecordedTest, TheRunThatGoesOnCountsBeforeTheReplayedOne) {
  const std::string first = begin({});
  const std::string second = begin({});
  EXPECT_EQ(known_run(first, second, place())->id, first);
  EXPECT_EQ(known_run("", second, place())->id, second);
}

TEST_F(RecordedTest, ARunOfAnotherArchiveIsNamedByItsDirectory) {
  const std::string run = begin({});
  EXPECT_EQ(known_run("", place().string() + ":" + run, "/nonexistent")->id, run);
  EXPECT_THROW((void)known_run("", "mnist_pool.forward.cpu.9", place()), UserError);
}

}  // namespace
}  // namespace robust_kbench
