#include "runs/evolve_all.hpp"

#include "core/error.hpp"
#include "run_fixture.hpp"
#include "runs/model_run.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

class EvolveAllTest : public RunFixture {
 protected:
  // One attempt of a call is charged to the run.
  void charge(const std::string& run, const std::string& stage) {
    m_archive.add_call({.identity = {.run = run,
                                     .call = stage + "/1",
                                     .request_hash = "hash",
                                     .stage = stage,
                                     .model = "stub/model"}},
                       {}, [](CallRow& row, const CallTotals&) {
                         row.state = CallState::charged;
                         row.charged = MicroDollars{1};
                       });
  }
};

TEST_F(EvolveAllTest, TellsOfEachEntryThatCannotBeEvolved) {
  std::vector<std::string> told;
  const EvolveEach each{
      .plan = [](const Entry& entry) -> EvolutionRun { throw UserError(entry.name() + " is odd"); },
      .go = {},
      .failed = [&](const Entry&, const std::string& why) { told.push_back(why); }};
  EvolutionSettings offline;
  offline.proposers = {"tune"};
  const AllEvolutions all = evolve_all(context(), offline, each);
  const std::vector<Entry> entries = evolved_entries(m_suite.manifest());
  EXPECT_EQ(all.failed, entries.size());
  ASSERT_EQ(told.size(), entries.size());
  EXPECT_EQ(told.front(), entries.front().name() + " is odd");
  EXPECT_EQ(all.ended_early, "");
}

// Questions of an earlier process of the command count, and so do those of a translation.
TEST_F(EvolveAllTest, CountsQuestionsOfRunsWithTheSameSettings) {
  ModelUse use(helper_of_sources, {.max_usd = {}, .max_tokens = {}, .max_calls = "10"}, nobody);
  const std::string run = begin(manual_settings());
  const std::string translation = begin_run(
      m_archive, {.kind = RunKind::translation, .entry = {"mnist_pool", Direction::forward}},
      manual_settings());
  m_archive.record_effect(run, "translation", translation);
  charge(run, "propose");
  charge(translation, "translate");
  const EvolveEach each{.plan = [](const Entry&) -> EvolutionRun { throw UserError("no task"); },
                        .go = {},
                        .failed = [](const Entry&, const std::string&) {}};
  (void)evolve_all({.suite = m_suite, .archive = m_archive, .models = use}, manual_settings(),
                   each);
  EXPECT_EQ(use.ledger(m_archive, manual_settings()).left().calls, 8);
  std::vector<std::string> stages;
  for (const CallRow& call : calls_of_all(m_archive, manual_settings())) {
    stages.push_back(call.identity.stage);
  }
  EXPECT_THAT(stages, ElementsAre("propose", "translate"));
}

}  // namespace
}  // namespace robust_kbench
