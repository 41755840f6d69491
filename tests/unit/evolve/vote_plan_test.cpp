#include "evolve/vote_plan.hpp"

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

}  // namespace
}  // namespace robust_kbench
