#include "evaluate/replay_choice.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(AskedReplay, IsCarriedOutIfPossibleWhereNobodySaysSo) {
  EXPECT_EQ(asked_replay("", false), Replay::if_possible);
  EXPECT_EQ(asked_replay("replay", false), Replay::always);
  EXPECT_EQ(asked_replay("in_process", false), Replay::never);
  EXPECT_EQ(asked_replay("", true), Replay::always);
  EXPECT_EQ(asked_replay("replay", true), Replay::always);
  EXPECT_THROW(asked_replay("in_process", true), UserError);
}

TEST(ChosenReplay, OfATimedKernelOnAGpuTellsWhatIsMissing) {
  const ReplayChoice possible = chosen_replay(Replay::if_possible, true, "");
  EXPECT_EQ(possible.mode, Replay::always);
  EXPECT_EQ(possible.missing, "");
  const ReplayChoice lacking = chosen_replay(Replay::if_possible, true, "/bin/rkb_replayer");
  EXPECT_EQ(lacking.mode, Replay::never);
  EXPECT_EQ(lacking.missing, "/bin/rkb_replayer");
}

TEST(ChosenReplay, IsNoneOnACpuOrWithoutTiming) {
  const ReplayChoice none = chosen_replay(Replay::if_possible, false, "/bin/rkb_replayer");
  EXPECT_EQ(none.mode, Replay::never);
  EXPECT_EQ(none.missing, "");
}

TEST(ChosenReplay, KeepsWhatWasAskedForOutright) {
  for (const Replay asked : {Replay::never, Replay::in_doubt, Replay::always}) {
    EXPECT_EQ(chosen_replay(asked, true, "/bin/rkb_replayer").mode, asked);
    EXPECT_EQ(chosen_replay(asked, true, "/bin/rkb_replayer").missing, "");
  }
}

}  // namespace
}  // namespace robust_kbench
