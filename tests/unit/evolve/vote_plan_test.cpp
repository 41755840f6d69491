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
    EXPECT_EQ(vote_gate(settings("audit", gate)), VotePlan::Gate::off);
  }
  EXPECT_EQ(vote_gate(settings("on", "rank")), VotePlan::Gate::rank);
  EXPECT_EQ(vote_gate(settings("on", "majority")), VotePlan::Gate::majority);
  EXPECT_EQ(vote_gate(settings("on", "off")), VotePlan::Gate::off);
  EXPECT_EQ(vote_gate(paper_settings()), VotePlan::Gate::rank);
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
