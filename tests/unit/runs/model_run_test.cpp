#include "runs/model_run.hpp"

#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::ElementsAre;

const Entry entry{"mnist_pool", Direction::forward};
const CapTexts ten_calls{.max_usd = {}, .max_tokens = {}, .max_calls = "10"};

// An archive with a run of these settings, whose reference was translated in a run of its own. One
// call of each was charged.
class ModelRunTest : public ArchiveDirectory {
 protected:
  ModelRunTest() : m_archive(place(), Archive::Mode::create) {
    m_run = begin(to_json(manual_settings()));
    m_translation = begin({{"translation", to_json(manual_settings())}});
    m_archive.record_effect(m_run, "translation", m_translation);
    charge(m_run, "propose", 20'000);
    charge(m_translation, "translate", 30'000);
  }

  std::string begin(const json& settings) {
    return m_archive.begin_run(entry, Device::cpu, 1, settings).id;
  }
  void charge(const std::string& run, const std::string& stage, std::int64_t micro_usd) {
    const CallIdentity identity{.run = run,
                                .call = stage + "/1",
                                .request_hash = "hash",
                                .stage = stage,
                                .model = "stub/model"};
    m_archive.add_call({.identity = identity}, {}, [&](CallRow& row, const CallTotals&) {
      row.state = CallState::charged;
      row.charged = MicroDollars{micro_usd};
    });
  }
  static ModelRun go_on(ModelUse& use, const EvolutionSettings& settings, Journal& journal) {
    return {use, settings, journal, {}, [] { return false; }};
  }

  Archive m_archive;
  std::string m_run;
  std::string m_translation;
};

TEST_F(ModelRunTest, CoversTheTranslationOfARunThatGoesOn) {
  ModelUse use(helper_of_sources, ten_calls, nobody);
  Journal journal(m_archive, m_run);
  const EvolutionSettings settings = manual_settings();
  const ModelRun models = go_on(use, settings, journal);
  EXPECT_EQ(use.ledger(m_archive, settings).left().calls, 8);
}

TEST_F(ModelRunTest, IncludesTheCostOfItsTranslation) {
  std::vector<std::string> stages;
  for (const CallRow& call : calls_of(m_archive, m_run)) {
    stages.push_back(call.identity.stage);
  }
  EXPECT_THAT(stages, ElementsAre("propose", "translate"));
}

TEST_F(ModelRunTest, RecordsWhichModelsStandForRetiredOnes) {
  const Surroundings surroundings{.variables = {{"ANTHROPIC_API_KEY", "planted"}},
                                  .configuration = "/nonexistent/config.json"};
  ModelUse use(helper_of_sources, ten_calls, surroundings);
  const std::string retired = "anthropic/claude-3-7-sonnet-20250219";
  EvolutionSettings settings;
  settings.proposers = {"llm"};
  settings.models = {retired};
  settings = use.choices().resolved(settings);
  settings.transport = "manual";
  Journal journal(m_archive, m_run);
  const ModelRun models = go_on(use, settings, journal);
  const json replaced = m_archive.effect(m_run, "replaced_models").value_or(json());
  ASSERT_EQ(replaced.size(), 1);
  EXPECT_EQ(replaced[0], (json{{"from", retired}, {"to", settings.models.front()}}));
}

TEST_F(ModelRunTest, AsksNoModelWithoutAPriceUnderACommittedLimitAlone) {
  ModelUse use(helper_of_sources, {.max_usd = "2", .max_tokens = {}, .max_calls = {}}, nobody);
  EvolutionSettings committed = manual_settings();
  committed.max_calls = 1'000'000'000;
  Ledger& ledger = use.ledger(m_archive, committed);
  ledger.begin(m_run);
  const CallIdentity identity{.run = m_run, .call = "propose/2", .model = "ollama/model"};
  EXPECT_EQ(ledger.reserve(identity, "h", {.input_tokens = 1, .output_tokens = 1}).state,
            CallState::not_granted);
}

}  // namespace
}  // namespace robust_kbench
