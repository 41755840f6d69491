#include "evolve/vote_plan.hpp"

#include "core/error.hpp"
#include "evolve/preset.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

EvolutionSettings settings(const std::string& votes, const std::string& gate) {
  EvolutionSettings settings;
  settings.votes = votes;
  settings.gate = gate;
  return settings;
}

TEST(VotePlan, AsksVerifiersOnlyWhereSettingsSaySo) {
  EXPECT_FALSE(asks_verifiers(EvolutionSettings()));  // `auto`
  for (const char* gate : {"rank", "majority", "off"}) {
    EXPECT_FALSE(asks_verifiers(settings("auto", gate)));
    EXPECT_FALSE(asks_verifiers(settings("off", gate)));
    EXPECT_TRUE(asks_verifiers(settings("on", gate)));
    EXPECT_TRUE(asks_verifiers(settings("audit", gate)));
  }
}

TEST(VotePlan, KeepsNothingBackInAnAudit) {
  for (const char* gate : {"rank", "majority", "off"}) {
    EXPECT_EQ(vote_power(settings("audit", gate)), VotePlan::Power::none);
  }
  EXPECT_EQ(vote_power(settings("on", "rank")), VotePlan::Power::rank);
  EXPECT_EQ(vote_power(settings("on", "majority")), VotePlan::Power::majority);
  EXPECT_EQ(vote_power(settings("on", "off")), VotePlan::Power::none);
  EXPECT_EQ(vote_power(paper_settings()), VotePlan::Power::rank);
}

TEST(VerifierOptions, TakeInstructionsFromTheSettings) {
  EvolutionSettings settings;
  settings.verifier_instructions = {{"memory", "Look at tails."}};
  EXPECT_EQ(verifier_options(settings).instructions.at(Verifier::memory), "Look at tails.");
  settings.verifier_instructions = {{"speed", "Look at loops."}};
  EXPECT_THROW((void)verifier_options(settings), UserError);
  settings.verifier_instructions = {{"memory", 3}};
  EXPECT_THROW((void)verifier_options(settings), UserError);
}

}  // namespace
}  // namespace robust_kbench
