#include "filter/speedup_means.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<TaskVerdict> verdicts() {
  return {{.task = "good", .results = {{.status = FilterStatus::pass}}},
          {.task = "fair", .results = {{.status = FilterStatus::skipped}}},
          {.task = "gamed", .results = {{.status = FilterStatus::caught}}}};
}

TEST(SpeedupMeans, AreOfAllTasksAndOfTasksThatPassEveryFilter) {
  const SpeedupMeans means = speedup_means({{"good", 2}, {"fair", 8}, {"gamed", 4096}}, verdicts());
  EXPECT_EQ(means.tasks, 3);
  EXPECT_NEAR(means.mean, 40.3, 0.1);
  EXPECT_EQ(means.tasks_not_caught, 2);
  EXPECT_NEAR(*means.mean_not_caught, 4, 1e-9);
}

TEST(SpeedupMeans, HaveNoneWhereAllAreCaught) {
  EXPECT_FALSE(speedup_means({{"gamed", 3}}, verdicts()).mean_not_caught);
}

TEST(SpeedupMeans, NeedAVerdictOfEachTask) {
  EXPECT_THROW(speedup_means({{"other", 2}}, verdicts()), UserError);
}

TEST(ReadSpeedups, TakesCsvAndJson) {
  const auto expected = ElementsAre(Pair("a", 2), Pair("b", 0.5));
  EXPECT_THAT(read_speedups("task,speedup\na,2\nb, 0.5\n"), expected);
  EXPECT_THAT(read_speedups("a,2\r\n\"b\",0.5\r\n"), expected);
  EXPECT_THAT(read_speedups(R"({"a": 2, "b": 0.5})"), expected);
  EXPECT_THAT(read_speedups(R"([{"task": "a", "speedup": 2}, {"task": "b", "speedup": 0.5}])"),
              expected);
}

TEST(ReadSpeedups, RefusesTextThatIsNoTable) {
  for (const char* text : {"", "task,speedup\n", "a\n", "a,fast\n", "a,0\n", "a,-1\n", "a,1\na,2\n",
                           R"({"a": "2"})", "[1]"}) {
    EXPECT_THROW(read_speedups(text), UserError) << text;
  }
}

}  // namespace
}  // namespace robust_kbench
