#include "prompt/profile_summary.hpp"

#include "scripted_models.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

class ProfileSummaryTest : public ArchiveDirectory {
 protected:
  std::vector<std::string> summary(const Answer& answer) {
    ScriptedRun run(place(), [&](const ScriptedQuestion& question) {
      EXPECT_EQ(question.prompt, "summarise_profile");
      EXPECT_EQ(question.data["code"], "the source");
      return answer;
    });
    const Candidate kernel{.id = 3,
                           .text = "the source",
                           .profile = ProfileRecord{
                               .advice = {{.rule = "occupancy", .text = "Use fewer registers."}}}};
    auto texts = summarise_profile(run.session, Device::cpu, kernel, {.model = "a/one"});
    EXPECT_EQ(summarise_profile(run.session, Device::cpu, kernel, {.model = "a/one"}), texts);
    EXPECT_EQ(run.model.asked.size(), 1);
    EXPECT_EQ(run.model.asked.at(0).proposal, 3);
    return texts;
  }
};

TEST_F(ProfileSummaryTest, IsTheLinesOfTheAnswer) {
  EXPECT_THAT(summary({.text = "1. Unroll.\n\n2. Fuse.\n3. Pack."}),
              ElementsAre("1. Unroll.", "2. Fuse.", "3. Pack."));
}

TEST_F(ProfileSummaryTest, IsTheAdviceOfRulesWhereNoAnswerCame) {
  EXPECT_THAT(summary({.outcome = ModelOutcome::error, .message = "gone"}),
              ElementsAre("Use fewer registers."));
}

}  // namespace
}  // namespace robust_kbench
