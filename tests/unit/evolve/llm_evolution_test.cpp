// Runs in which language models propose. Models fail, cost too much or may not be asked. Runs are
// killed, resumed and replayed.
#include <sys/wait.h>
#include <unistd.h>

#include "../prompt/scaling_task.hpp"
#include "../prompt/scripted_models.hpp"
#include "core/sha256.hpp"
#include "evolve/evolution.hpp"
#include "evolve/preset.hpp"
#include "propose/llm_proposer.hpp"
#include "scripted_backend.hpp"
#include "text_proposer.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Reservation reservation{.input_tokens = 10, .output_tokens = 10};

Answer kernel_answer(const std::string& code) {
  return {.text =
              "<name>k</name>\n<strategy>" + code + "</strategy>\n<cpp>\n" + code + "\n</cpp>\n"};
}

class LlmEvolutionTest : public ArchiveDirectory {
 protected:
  LlmEvolutionTest() {
    m_plan.starts = {{.id = 1,
                      .name = "plain",
                      .text = "takes 100",
                      .hash = sha256("takes 100"),
                      .kernel = {.entry = m_plan.entry, .sources = {"/seeds/k.cpp"}}}};
    m_plan.settings.models = {"a/one", "b/two"};
    m_plan.settings.repairs = 0;
    m_plan.settings.tune_share = 0.5;
    m_model.reservation = reservation;
    m_backend.before_call = [this](int) { effect(); };
  }

  // Runs in an archive of its own, or goes on with the run that it has.
  RunRow evolve(const std::string& directory, std::optional<RecordedRun> recorded = {}) {
    Archive archive(m_directory / directory, Archive::Mode::create);
    if (archive.runs().empty()) {
      archive.begin_run(m_plan.entry, m_plan.device, 1, to_json(m_plan.settings));
    }
    const std::string run = archive.runs().front().id;
    archive.hold(run);
    Journal journal(archive, run, recorded);
    Ledger ledger(archive,
                  {.cap = m_cap, .stops_on_overrun = m_plan.settings.on_overrun == "stop"});
    ModelClient client(journal, ledger, recorded ? nullptr : &m_model);
    JsonRenderer renderer;
    ModelSession session(
        client, journal, "", [&]() -> Renderer& { return renderer; }, 1,
        usual_scrubber(m_directory));
    std::vector<std::unique_ptr<Proposer>> proposers;
    proposers.push_back(std::make_unique<LlmProposer>(
        LlmProposerOptions{.settings = m_plan.settings,
                           .seed = m_plan.settings.seed,
                           .subject = {.task = m_task, .reference = {scaling_reference, "python"}},
                           .example = {.text = "takes 100"},
                           .refused = [&] { return recorded ? std::nullopt : ledger.exhausted(); },
                           .stopped = [&] { return recorded ? std::nullopt : ledger.stopped(); }},
        session));
    proposers.push_back(std::make_unique<TextProposer>("others", m_others));
    Evolution evolution(m_plan, archive, run, journal, m_backend, std::move(proposers));
    RunRow row = evolution.run();
    m_rows = archive.proposals(run);
    m_calls = archive.calls(run);
    return row;
  }
  RunRow replayed(const std::string& recorded) {
    const Archive archive(m_directory / recorded, Archive::Mode::read_only);
    return evolve(recorded + "_again", RecordedRun{archive, archive.runs().front().id});
  }

  [[nodiscard]] std::vector<std::string> proposers() const {
    std::vector<std::string> all;
    for (const ProposalRow& row : m_rows) all.push_back(row.proposer);
    return all;
  }
  [[nodiscard]] std::vector<std::string> states() const {
    std::vector<std::string> all;
    for (const CallRow& row : m_calls) all.emplace_back(to_string(row.state));
    return all;
  }
  [[nodiscard]] std::int64_t count_of(const std::string& outcome_or_reason) const {
    return std::ranges::count_if(m_rows, [&](const ProposalRow& row) {
      return to_string(row.outcome) == outcome_or_reason || row.reason_class == outcome_or_reason;
    });
  }

  // The rows without all that depends on the clock.
  [[nodiscard]] std::vector<nlohmann::json> timeless() const {
    std::vector<nlohmann::json> all;
    for (const ProposalRow& row : m_rows) {
      all.push_back({row.id, row.generation, row.sample, to_string(row.stage),
                     to_string(row.outcome), row.reason, row.reason_class, row.parents,
                     row.proposer, row.strategy, row.source_hash, row.settings,
                     row.speedup.value_or(0), row.record_hash});
    }
    return all;
  }

  // Called before each evaluation and each answer.
  void effect() {
    if (m_effects++ == m_killed_at) _exit(killed);
  }

  Answer answer(const ScriptedQuestion& question) {
    effect();
    const auto id = std::stoul(question.call.substr(question.call.find('/') + 1));
    if (question.call.starts_with("verify")) {
      return verdict_answer(question.mark, id % 2 == 0, "other");
    }
    return m_answer_to ? m_answer_to(id) : kernel_answer("takes " + std::to_string(100 - id));
  }

  Task m_task = scaling_task();
  EvolutionPlan m_plan{.entry = {"scaling", Direction::forward}};
  SpendingCap m_cap{.calls = 1000};
  std::vector<std::string> m_others;
  std::function<Answer(std::size_t id)> m_answer_to;
  ScriptedModel m_model{[this](const ScriptedQuestion& question) { return answer(question); }};
  ScriptedBackend m_backend;
  std::atomic<int> m_effects = 0;
  int m_killed_at = -1;
  std::vector<ProposalRow> m_rows;
  std::vector<CallRow> m_calls;
};

TEST_F(LlmEvolutionTest, EvaluatesWhatModelsProposeLikeAnythingElse) {
  m_plan.settings.max_evaluations = 4;
  m_others = {"takes 90", "takes 80"};
  m_answer_to = [](std::size_t id) {
    return kernel_answer(id == 2 ? "is wrong, takes 1" : "takes 50");
  };
  const RunRow run = evolve("a");
  EXPECT_THAT(proposers(), ElementsAre("seed", "llm", "others", "llm", "others"));
  EXPECT_EQ(m_rows[1].reason_class, "wrong_result");
  EXPECT_EQ(run.winner, 4);
  EXPECT_THAT(states(), ElementsAre("charged", "charged"));
}

// Kills a process of the run before each evaluation and each answer in turn, and goes on.
TEST_F(LlmEvolutionTest, GoesOnAfterAKillAtAnyEffectAndAsksNothingTwice) {
  m_plan.settings.max_evaluations = 2;
  m_others = {"is wrong later, takes 1"};
  evolve("whole");
  const auto expected = timeless();
  const std::size_t asked = m_calls.size();
  const int effects = m_effects;
  ASSERT_GT(effects, 10);
  int unknown = 0;
  for (int at = 0; at < effects; ++at) {
    const std::string directory = "killed_" + std::to_string(at);
    m_effects = 0;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      m_killed_at = at;
      evolve(directory);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(WEXITSTATUS(status), killed);
    evolve(directory);
    EXPECT_EQ(timeless(), expected) << at;
    EXPECT_EQ(m_effects, effects - at) << at;
    const std::vector<std::string> all = states();
    EXPECT_EQ(std::ranges::count(all, "charged"), asked) << at;
    EXPECT_EQ(std::ranges::count(all, "reserved"), 0) << at;
    unknown += static_cast<int>(std::ranges::count(all, "unknown"));
  }
  EXPECT_EQ(unknown, asked);  // one for each kill while an answer was awaited
}

TEST_F(LlmEvolutionTest, EndsAlikeUnderReplayAndAsksNothing) {
  m_plan.settings.max_evaluations = 9;
  m_plan.side_by_side = 4;
  m_plan.evaluated_at_a_time = 2;
  m_others = {"takes 80", "is wrong, takes 1", "takes 70"};
  const RunRow recorded = evolve("recorded");
  const auto expected = timeless();
  const int effects = m_effects;
  const RunRow again = replayed("recorded");
  EXPECT_EQ(timeless(), expected);
  EXPECT_EQ(again.stop_reason, recorded.stop_reason);
  EXPECT_EQ(m_effects, effects);
  EXPECT_THAT(states(), Each("unpaid"));
}

TEST_F(LlmEvolutionTest, LeavesTheRestToOthersWhereACapIsReached) {
  m_cap = {.calls = 2};
  m_others = {"takes 80", "takes 70", "takes 60", "takes 50"};
  const RunRow run = evolve("a");
  EXPECT_THAT(proposers(),
              ElementsAre("seed", "llm", "others", "llm", "others", "llm", "others", "others"));
  EXPECT_THAT(states(), ElementsAre("charged", "charged", "not_granted"));
  EXPECT_THAT(run.stop_reason, StartsWith("nothing more to propose; "));
  EXPECT_THAT(run.stop_reason, HasSubstr("raise --max-calls"));
  EXPECT_EQ(run.winner, 8);
  const auto expected = timeless();
  EXPECT_EQ(replayed("a").stop_reason, run.stop_reason);
  EXPECT_EQ(timeless(), expected);
}

TEST_F(LlmEvolutionTest, GivesOthersTheShareOfTuning) {
  m_plan.settings.max_evaluations = 20;
  for (int i = 0; i < 20; ++i) m_others.push_back("takes " + std::to_string(200 + i));
  m_answer_to = [](std::size_t id) { return kernel_answer("takes " + std::to_string(300 + id)); };
  const std::map<double, int> shares{{0.25, 5}, {0.4, 8}, {0.6, 12}, {0.9, 18}};
  for (const auto& [share, expected] : shares) {
    m_plan.settings.tune_share = share;
    evolve(std::to_string(expected));
    EXPECT_EQ(m_rows.size(), 21);
    EXPECT_EQ(std::ranges::count(proposers(), "others"), expected) << share;
    const auto rows = timeless();
    replayed(std::to_string(expected));
    EXPECT_EQ(timeless(), rows) << share;
  }
}

TEST_F(LlmEvolutionTest, GivesOthersWithoutAShareWhatModelsDeclineAlone) {
  m_plan.settings.tune_share = 0;
  m_cap = {.calls = 2};
  m_others = {"takes 80", "takes 70"};
  evolve("a");
  EXPECT_THAT(proposers(), ElementsAre("seed", "llm", "llm", "llm", "others", "others"));
}

TEST_F(LlmEvolutionTest, GoesOnWithAHigherCap) {
  m_cap = {.calls = 2};
  m_plan.settings.max_evaluations = 5;
  evolve("a");
  m_cap = {.calls = 100};
  EXPECT_EQ(evolve("a").stop_reason, "evaluations");
  EXPECT_EQ(count_of("accepted"), 5);
  const auto expected = timeless();
  replayed("a");
  EXPECT_EQ(timeless(), expected);
}

TEST_F(LlmEvolutionTest, EndsWhereModelsFailAgainAndAgainAndTriesAgainWhenResumed) {
  m_plan.settings.max_evaluations = 3;
  m_plan.side_by_side = 10;
  bool is_gone = true;
  m_answer_to = [&](std::size_t id) {
    if (is_gone) return Answer{.outcome = ModelOutcome::error, .message = "connection refused"};
    return kernel_answer("takes " + std::to_string(100 - id));
  };
  const RunRow gone = evolve("a");
  EXPECT_EQ(gone.state, RunState::ended);
  EXPECT_THAT(gone.stop_reason, HasSubstr("8 questions in a row gave no kernel"));
  EXPECT_THAT(gone.stop_reason, HasSubstr("connection refused"));
  const std::int64_t failed = count_of("no_source");
  EXPECT_EQ(replayed("a").stop_reason, gone.stop_reason);
  is_gone = false;
  EXPECT_EQ(evolve("a").stop_reason, "evaluations");
  EXPECT_EQ(m_rows.size(), 1 + failed + 3);
  EXPECT_EQ(count_of("no_source"), failed);
  const auto expected = timeless();
  replayed("a");
  EXPECT_EQ(timeless(), expected);
}

TEST_F(LlmEvolutionTest, LeavesTheRestToOthersWhereModelsFailAndTheRunGoesOn) {
  m_plan.settings.on_model_failure = "go_on";
  for (int i = 0; i < 10; ++i) m_others.push_back("takes " + std::to_string(101 + i));
  m_answer_to = [&](std::size_t) { return Answer{.text = "nonsense"}; };
  const RunRow run = evolve("a");
  EXPECT_EQ(count_of("no_source"), 8);
  EXPECT_EQ(m_rows.size(), 1 + 8 + m_others.size());
  EXPECT_THAT(run.stop_reason, HasSubstr("8 questions in a row gave no kernel"));
}

TEST_F(LlmEvolutionTest, StopsAfterABillAboveItsReservation) {
  m_model.bill = 2;
  m_others = {"takes 80", "takes 70"};
  const RunRow run = evolve("a");
  EXPECT_THAT(run.stop_reason, HasSubstr("but at most 20 tokens had been reserved"));
  EXPECT_THAT(states(), ElementsAre("overrun"));
  EXPECT_THAT(proposers(), ElementsAre("seed", "llm"));
  EXPECT_EQ(replayed("a").stop_reason, run.stop_reason);
}

TEST_F(LlmEvolutionTest, GoesOnAfterABillAboveItsReservationWhereTheSettingsSaySo) {
  m_model.bill = 2;
  m_plan.settings.on_overrun = "go_on";
  m_plan.settings.max_evaluations = 3;
  EXPECT_EQ(evolve("a").stop_reason, "evaluations");
  EXPECT_THAT(states(), ElementsAre("overrun", "overrun", "overrun"));
}

// Votes by the number of the proposal.
VotePlan even_ones(int evaluated) {
  return {
      .power = VotePlan::Power::rank, .evaluated = evaluated, .votes_on = [](const auto& child) {
        const VerifierVerdict verdict{.valid = child.id % 2 == 0};
        return Votes{{Verifier::numerics, {.verdict = verdict}}};
      }};
}

TEST_F(LlmEvolutionTest, RanksAGenerationThatIsMadeOneByOne) {
  m_plan.votes = even_ones(2);
  m_plan.settings.population = 4;
  m_plan.settings.max_generations = 1;
  EXPECT_EQ(evolve("a").stop_reason, "generations");
  EXPECT_EQ(count_of("outranked"), 2);
}

TEST_F(LlmEvolutionTest, GoesOnAfterAGenerationWithoutAKernel) {
  m_plan.votes = even_ones(2);
  m_plan.settings.population = 4;
  m_plan.settings.max_generations = 2;
  m_plan.side_by_side = 4;
  m_answer_to = [](std::size_t id) {
    return id < 6 ? Answer{.text = "nonsense"} : kernel_answer("takes " + std::to_string(100 - id));
  };
  EXPECT_EQ(evolve("a").stop_reason, "generations");
  EXPECT_EQ(count_of("no_source"), 4);
  EXPECT_EQ(count_of("outranked"), 2);
}

TEST_F(LlmEvolutionTest, RanksWhatACapHasLeftOfAGeneration) {
  m_plan.votes = even_ones(2);
  m_plan.settings.population = 8;
  m_cap = {.calls = 3};
  for (const int side_by_side : {1, 8}) {
    m_plan.side_by_side = side_by_side;
    const std::string directory = std::to_string(side_by_side);
    EXPECT_THAT(evolve(directory).stop_reason, HasSubstr("raise --max-calls"));
    EXPECT_EQ(count_of("outranked"), 1);
    EXPECT_EQ(std::ranges::count(states(), "charged"), 3);
  }
}

// Ten generations of eight, of which four are evaluated, from five models.
TEST_F(LlmEvolutionTest, MakesThePapersRun) {
  m_plan.settings = paper_settings();
  m_plan.settings.models = {"a/one", "a/two", "b/three", "b/four", "c/five"};
  m_plan.side_by_side = m_plan.settings.population;
  m_plan.votes = even_ones(m_plan.settings.evaluated);
  m_answer_to = [](std::size_t id) {
    if (id % 7 == 0) return kernel_answer("is wrong, takes 1, really " + std::to_string(id));
    return kernel_answer("takes " + std::to_string(id % 10 == 0 ? 100 - id : 130 + id));
  };
  const RunRow run = evolve("a");
  EXPECT_EQ(run.stop_reason, "generations");
  EXPECT_EQ(m_rows.size(), 81);
  EXPECT_EQ(m_rows.back().generation, 10);
  EXPECT_EQ(count_of("outranked"), 40);
  EXPECT_EQ(run.summary["candidates"], 40);
  EXPECT_EQ(run.winner, 80);
  std::set<std::string> models;
  for (const CallRow& call : m_calls) models.insert(call.identity.model);
  EXPECT_EQ(models.size(), 5);
  EXPECT_EQ(std::ranges::count(states(), "unpaid"), 0);
  // The profile of each parent is put into words once.
  EXPECT_EQ(std::ranges::count_if(
                m_calls, [](const CallRow& call) { return call.identity.call == "profile/1"; }),
            1);
  const auto expected = timeless();
  replayed("a");
  EXPECT_EQ(timeless(), expected);
  EXPECT_THAT(states(), Each("unpaid"));
}

}  // namespace
}  // namespace robust_kbench
