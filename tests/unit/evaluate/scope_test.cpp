#include "evaluate/scope.hpp"

#include "core/error.hpp"
#include "scripted_suite.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ScopeTest : public testing::Test, public ScriptedSuite {
 protected:
  [[nodiscard]] std::vector<std::string> cases(const Scope& scope,
                                               Device device = Device::cpu) const {
    std::vector<std::string> names;
    for (const Case& c : tested_cases(m_manifest, m_task, Direction::forward, device, scope)) {
      names.push_back(c.name());
    }
    return names;
  }

  [[nodiscard]] std::vector<std::string> timed(const Scope& scope,
                                               Device device = Device::cpu) const {
    std::vector<std::string> names;
    for (const Config& config :
         timed_configs(m_manifest, m_task, Direction::forward, device, scope)) {
      names.push_back(config.name);
    }
    return names;
  }
};

TEST_F(ScopeTest, CrossesConfigsAndSeeds) {
  EXPECT_THAT(cases({.seeds = 2}), ElementsAre("small/size_100/seed_1", "small/size_100/seed_2",
                                               "small/size_17/seed_1", "small/size_17/seed_2"));
  EXPECT_EQ(cases({}).size(), 10U);
}

TEST_F(ScopeTest, HasTheUsualConfigsOfADevice) {
  EXPECT_THAT(usual_configs(Device::cpu), ElementsAre(ConfigSet::small));
  EXPECT_THAT(usual_configs(Device::cuda), ElementsAre(ConfigSet::small, ConfigSet::multi));
  EXPECT_THAT(timed({}), ElementsAre("small/size_100", "small/size_17"));
  EXPECT_THAT(timed({}, Device::cuda), ElementsAre("single/size_64"));
}

TEST_F(ScopeTest, TakesOneSeedOfSmallConfigsOnCuda) {
  EXPECT_THAT(cases({}, Device::cuda),
              ElementsAre("small/size_100/seed_1", "small/size_17/seed_1"));
  EXPECT_EQ(cases({.sets = {ConfigSet::small}}, Device::cuda).size(), 10U);
}

TEST_F(ScopeTest, EndsWithDrawnConfigsWhereTheTaskDeclaresShapes) {
  m_task.shapes = Shapes{.sizes = {{"size", 1, 200}}};
  EXPECT_THAT(cases({.seeds = 1}), ElementsAre("small/size_100/seed_1", "small/size_17/seed_1",
                                               "drawn_1", "drawn_2", "drawn_3", "drawn_large"));
  EXPECT_EQ(cases({.seeds = 1, .coverage = Coverage::listed}).size(), 2U);
  EXPECT_EQ(cases({.seeds = 1, .only_config = "small/size_17"}).size(), 1U);
}

TEST_F(ScopeTest, TakesOneCaseOfEachKindForAQuickLook) {
  m_task.shapes = Shapes{.sizes = {{"size", 1, 200}}};
  EXPECT_THAT(cases({.coverage = Coverage::quick}),
              ElementsAre("small/size_100/seed_1", "drawn_1"));
  m_task.domain = Domain{};
  std::map<Probe, int> probes;
  for (const Case& c : tested_cases(m_manifest, m_task, Direction::forward, Device::cpu,
                                    {.coverage = Coverage::quick})) {
    if (c.probe) ++probes[*c.probe];
  }
  EXPECT_GT(probes.size(), 1U);
  for (const auto& [probe, count] : probes) EXPECT_EQ(count, 1) << probe_name(probe);
}

TEST_F(ScopeTest, DrawsTheSameConfigsWhateverSetsItNames) {
  m_task.shapes = Shapes{.sizes = {{"size", 1, 200}}};
  const auto drawn = [&](const Scope& scope) {
    std::string drawn;
    for (const Case& c : tested_cases(m_manifest, m_task, Direction::forward, Device::cpu, scope)) {
      drawn += c.asks();
    }
    return drawn;
  };
  EXPECT_EQ(drawn({.nonce = 5}), drawn({.sets = {ConfigSet::single}, .nonce = 5}));
  EXPECT_NE(drawn({.nonce = 5}), drawn({.nonce = 6}));
}

TEST_F(ScopeTest, TakesTheSetsThatItNames) {
  EXPECT_THAT(
      cases({.sets = {ConfigSet::single, ConfigSet::small}, .seeds = 1}),
      ElementsAre("single/size_64/seed_1", "small/size_100/seed_1", "small/size_17/seed_1"));
}

TEST_F(ScopeTest, TakesConfigsInPlaceOfThoseOfItsSets) {
  Scope scope{.configs = {{.set = ConfigSet::drawn, .name = "unseen_1"}},
              .coverage = Coverage::listed};
  scope.configs.front().params = {{"size", std::int64_t{50}}};
  scope.seeds = 1;
  EXPECT_THAT(cases(scope), ElementsAre("unseen_1"));
  EXPECT_THAT(timed(scope), ElementsAre("unseen_1"));
}

TEST_F(ScopeTest, TakesOneCaseOrOneConfig) {
  EXPECT_THAT(cases({.only_case = "small/size_17/seed_3"}), ElementsAre("small/size_17/seed_3"));
  EXPECT_EQ(cases({.only_case = std::string(sequence_name)}).size(), 10U);
  EXPECT_THAT(timed({.only_config = "small/size_17"}), ElementsAre("small/size_17"));
}

TEST_F(ScopeTest, RefusesUnknownSetsConfigsAndCases) {
  EXPECT_THROW((void)cases({.only_case = "small/size_17/seed_6"}), UserError);
  EXPECT_THROW((void)timed({.only_config = "single/size_64"}), UserError);
  try {
    (void)cases({.sets = {ConfigSet::multi}});  // which the file does not have
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("multi_input_configs"));
  }
}

}  // namespace
}  // namespace robust_kbench
