#include "runs/pilots/pilot_report.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(PilotReport, AddsUpWhatEventsSay) {
  const std::vector<PilotRow> rows = pilot_rows({
      {{"event", "trying"}, {"id", 1}},
      // It was there before the run began, which has it from its 100th second on.
      {{"event", "pilot_present"}, {"pilot", "early"}, {"present_s", 100}, {"model", "H100"}},
      {{"event", "pilot_joined"}, {"pilot", "late"}, {"model", "A100"}, {"host", "node2"}},
      {{"event", "answered"}, {"pilot", "early"}, {"worked_s", 5}, {"present_s", 110}},
      {{"event", "not_answered"}, {"pilot", "late"}, {"present_s", 4}, {"reason", "broken"}},
      {{"event", "claim_lost"}, {"pilot", "late"}, {"held_s", 1}},
      {{"event", "pilot_lost"}, {"pilot", "late"}, {"present_s", 8}, {"silent_s", 60}},
      {{"event", "late_answer"}, {"pilot", "late"}, {"job", 3}},
      {{"event", "pilot_refused"}, {"pilot", "other"}, {"reason", "another tree"}},
      {{"event", "answered"}, {"pilot", "early"}, {"worked_s", 10}, {"present_s", 118}},
      {{"event", "pilot_present"}, {"pilot", "early"}, {"present_s", 120}},
  });
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(rows[0].model, "H100");
  EXPECT_EQ(rows[0].answered, 2);
  EXPECT_EQ(rows[0].worked_s, 15);
  EXPECT_EQ(rows[0].present_s, 20);
  EXPECT_EQ(rows[0].idle(), 0.25);
  EXPECT_EQ(rows[1].host, "node2");
  EXPECT_EQ(rows[1].failed, 1);
  EXPECT_EQ(rows[1].lost, 1);
  EXPECT_EQ(rows[1].late, 1);
  EXPECT_EQ(rows[1].present_s, 8);
  EXPECT_EQ(rows[1].end, "lost: not heard of for 60 s");
  EXPECT_EQ(rows[2].end, "refused: another tree");
}

// Another coordinator sees the pilot as one that has just joined.
TEST(PilotReport, AddsTheTimesOfSeveralCoordinators) {
  const std::vector<PilotRow> rows = pilot_rows({
      {{"event", "pilot_joined"}, {"pilot", "p"}},
      {{"event", "answered"}, {"pilot", "p"}, {"worked_s", 5}, {"present_s", 10}},
      {{"event", "pilot_joined"}, {"pilot", "p"}},
      {{"event", "answered"}, {"pilot", "p"}, {"worked_s", 5}, {"present_s", 30}},
  });
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0].present_s, 40);
  EXPECT_EQ(rows[0].answered, 2);
}

}  // namespace
}  // namespace robust_kbench
