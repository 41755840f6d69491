// Runs in which verifiers vote on proposals. Votes keep some back, and an audit says what they were
// worth. On a GPU memcheck knows more of the truth.

#include "../archive/archive_directory.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"
#include "evolve/evolution.hpp"
#include "scripted_backend.hpp"
#include "text_proposer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A verifier calls a kernel wrong whose text doubts what it looks for, and abstains where it says
// that it does not know.
Votes votes_of(const std::string& text) {
  Votes votes;
  for (const Verifier verifier : verifiers) {
    const std::string name(to_string(verifier));
    const bool doubts = text.find("doubt " + name) != std::string::npos;
    const bool abstains = text.find("unknown " + name) != std::string::npos;
    votes[verifier] = abstains ? Vote{.abstention = "it does not know"}
                               : Vote{.verdict = VerifierVerdict{.valid = !doubts}};
  }
  return votes;
}

class VoteEvolutionTest : public ArchiveDirectory {
 protected:
  VoteEvolutionTest() {
    m_plan.starts = {{.id = 1,
                      .name = "plain",
                      .text = "takes 100",
                      .hash = sha256("takes 100"),
                      .kernel = {.entry = m_plan.entry, .sources = {"/seeds/k.cpp"}}}};
    m_plan.votes.votes_on = [this](const Candidate& child) {
      m_reviewed.push_back(child.id);
      return votes_of(child.text);
    };
  }

  void use_gpu() {
    m_plan.device = Device::cuda;
    m_plan.starts.front().kernel.device = Device::cuda;
  }

  RunRow evolve(const std::string& directory, const std::vector<std::string>& proposals,
                std::optional<RecordedRun> recorded = {}) {
    Archive archive(m_directory / directory, Archive::Mode::create);
    const std::string run =
        archive.begin_run(m_plan.entry, m_plan.device, 1, to_json(m_plan.settings)).id;
    Journal journal(archive, run, recorded);
    std::vector<std::unique_ptr<Proposer>> proposers;
    proposers.push_back(std::make_unique<TextProposer>("texts", proposals));
    Evolution evolution(m_plan, archive, run, journal, m_backend, std::move(proposers));
    RunRow row = evolution.run();
    m_rows = archive.proposals(run);
    return row;
  }

  // The outcomes of the proposals, without the start.
  [[nodiscard]] std::vector<std::string> outcomes() const {
    std::vector<std::string> all;
    for (const ProposalRow& row : m_rows) {
      if (row.proposer != "seed") {
        all.emplace_back(row.reason_class.empty() ? to_string(row.outcome) : row.reason_class);
      }
    }
    return all;
  }
  // Ids of the proposals that went through this stage.
  [[nodiscard]] std::vector<std::int64_t> went_through(const std::string& stage) const {
    std::vector<std::int64_t> ids;
    for (const ProposalRow& row : m_rows) {
      if (row.proposer != "seed" && row.seconds.contains(stage)) ids.push_back(row.id);
    }
    return ids;
  }

  EvolutionPlan m_plan{.entry = {"scaling", Direction::forward}};
  ScriptedBackend m_backend;
  std::vector<std::int64_t> m_reviewed;
  std::vector<ProposalRow> m_rows;
};

const std::vector<std::string> doubted{"takes 90", "takes 80, doubt memory, doubt numerics",
                                       "takes 70, doubt memory",
                                       "takes 60, doubt memory, unknown numerics"};

TEST_F(VoteEvolutionTest, KeepsBackWhatNoMajorityCallsValid) {
  m_plan.votes.power = VotePlan::Power::majority;
  const RunRow run = evolve("a", doubted);
  EXPECT_THAT(outcomes(), ElementsAre("accepted", "voted_out", "accepted", "voted_out"));
  EXPECT_THAT(m_rows[2].reason, HasSubstr("memory       finds an error"));
  EXPECT_THAT(m_rows[4].reason, HasSubstr("numerics     abstains: it does not know"));
  EXPECT_TRUE(m_rows[4].settings["votes"]["numerics"].is_null());
  EXPECT_THAT(went_through("screen"), ElementsAre(2, 4));
  EXPECT_EQ(run.winner, 4);
  EXPECT_EQ(run.summary["candidates"], 2);
  EXPECT_EQ(run.summary["refused"]["voted_out"], 2);
}

TEST_F(VoteEvolutionTest, AuditsOnlyWhatWasTested) {
  m_plan.votes.power = VotePlan::Power::majority;
  const RunRow run = evolve("a", doubted);
  const nlohmann::json& memory = run.summary["verifiers"]["memory"];
  EXPECT_EQ(memory["right_kernels"], 2);
  EXPECT_EQ(memory["right_kernels_lost"], 1);
  EXPECT_EQ(memory["matrix"]["let_through"], 1);
  EXPECT_EQ(memory["matrix"]["false_alarms"], 1);
}

TEST_F(VoteEvolutionTest, AsksNobodyAboutWhatDoesNotCompileWhereVotesDecide) {
  m_plan.votes.evaluated = 2;
  m_plan.settings.population = 5;
  m_plan.settings.max_generations = 1;
  const std::vector<std::string> proposals{"does not compile, takes 1", "takes 90", "takes 80",
                                           "takes 80", "takes 70, doubt memory"};
  m_plan.votes.power = VotePlan::Power::rank;
  const RunRow run = evolve("rank", proposals);
  EXPECT_THAT(m_reviewed, ElementsAre(3, 4, 6));
  EXPECT_THAT(outcomes(),
              ElementsAre("compile_error", "accepted", "accepted", "duplicate", "outranked"));
  EXPECT_EQ(run.summary["candidates"], 2);
  m_reviewed.clear();
  m_plan.votes.power = VotePlan::Power::majority;
  evolve("majority", proposals);
  EXPECT_THAT(m_reviewed, ElementsAre(3, 4, 6));
}

TEST_F(VoteEvolutionTest, GivesThePlacesOfAGenerationToWhatCompiles) {
  m_plan.votes.power = VotePlan::Power::rank;
  m_plan.votes.evaluated = 2;
  m_plan.settings.population = 4;
  m_plan.settings.max_generations = 1;
  evolve("a", {"does not compile, takes 1", "takes 90, doubt memory", "does not compile, takes 2",
               "takes 80, doubt memory, doubt numerics"});
  EXPECT_THAT(went_through("compile"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(went_through("screen"), ElementsAre(3, 5));
}

TEST_F(VoteEvolutionTest, CountsWhatVotesKeepBackNeitherAsEvaluatedNorAsInVain) {
  m_plan.votes.power = VotePlan::Power::majority;
  m_plan.settings.plateau = 2;
  m_plan.settings.max_evaluations = 2;
  const std::string doubts = ", doubt memory, doubt numerics";
  const RunRow run = evolve("a", {"takes 9" + doubts, "takes 8" + doubts, "takes 7" + doubts,
                                  "takes 90", "takes 80", "takes 70"});
  EXPECT_EQ(run.stop_reason, "evaluations");
  EXPECT_EQ(m_rows.size(), 1 + 5);
}

TEST_F(VoteEvolutionTest, AnAuditSendsAllOnAndSaysWhatVotesWereWorth) {
  const RunRow run = evolve(
      "a", {"takes 90", "is wrong, takes 1, doubt numerics",
            "does not compile, takes 1, doubt compilation", "takes 80, doubt memory", "takes 90"});
  EXPECT_THAT(outcomes(),
              ElementsAre("accepted", "wrong_result", "compile_error", "accepted", "duplicate"));
  EXPECT_THAT(m_reviewed, ElementsAre(2, 3, 4, 5, 6));
  const nlohmann::json& audit = run.summary["verifiers"];
  EXPECT_EQ(audit["compilation"]["matrix"]["found"], 1);
  EXPECT_EQ(audit["compilation"]["matrix"]["let_through"], 2);
  EXPECT_EQ(audit["memory"]["matrix"]["false_alarms"], 1);
  EXPECT_EQ(audit["memory"]["matrix"]["let_through"], 1);
  EXPECT_EQ(audit["memory"]["right_kernels"], 2);
  EXPECT_EQ(audit["memory"]["right_kernels_lost"], 1);
  EXPECT_EQ(audit["numerics"]["matrix"]["found"], 1);
  EXPECT_EQ(audit["numerics"]["matrix"]["let_through"], 2);
  EXPECT_EQ(audit["numerics"]["saved_seconds"], 1);  // of the screening
  EXPECT_THAT(run.summary["verifiers_text"].get<std::string>(),
              HasSubstr("verifier memory on 2 kernels with a known truth"));
}

TEST_F(VoteEvolutionTest, AsksMemcheckOfEachCudaKernelBeforeItBecomesAParent) {
  use_gpu();
  m_plan.votes = {};
  evolve("a", {"takes 90, reads outside", "is wrong, takes 1", "takes 120", "takes 80"});
  EXPECT_THAT(outcomes(), ElementsAre("unsafe", "wrong_result", "slower", "accepted"));
  EXPECT_THAT(went_through("memcheck"), ElementsAre(2, 5));
  EXPECT_EQ(m_rows[1].speedup, std::nullopt);
  EXPECT_TRUE(m_rows[0].seconds.contains("memcheck"));
}

TEST_F(VoteEvolutionTest, BeginsWithNoCudaKernelThatMemcheckAccuses) {
  use_gpu();
  m_plan.starts.front().text = "takes 100, reads outside";
  EXPECT_THROW(evolve("a", {}), UserError);
}

TEST_F(VoteEvolutionTest, AsksNoMemcheckOnTheCpu) {
  evolve("a", {"takes 90, reads outside", "is wrong, takes 1"});
  EXPECT_THAT(outcomes(), ElementsAre("accepted", "wrong_result"));
  EXPECT_THAT(went_through("memcheck"), IsEmpty());
}

TEST_F(VoteEvolutionTest, AnAuditAsksMemcheckOfAllCudaKernelsThatCompile) {
  use_gpu();
  const RunRow run = evolve("a", {"is wrong, takes 1", "is wrong, takes 2, reads outside",
                                  "does not compile, takes 1", "takes 120", "takes 80"});
  EXPECT_THAT(went_through("memcheck"), ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(outcomes(),
              ElementsAre("wrong_result", "wrong_result", "compile_error", "slower", "accepted"));
  const nlohmann::json& matrix = run.summary["verifiers"]["memory"]["matrix"];
  EXPECT_EQ(matrix["overlooked"], 1);
  EXPECT_EQ(matrix["let_through"], 3);
}

TEST_F(VoteEvolutionTest, EndsAlikeUnderReplayWhateverVotesDecide) {
  use_gpu();
  std::vector<std::string> proposals = doubted;
  proposals.emplace_back("does not compile, takes 1");
  proposals.emplace_back("is wrong, takes 1, doubt numerics");
  for (const VotePlan::Power gate :
       {VotePlan::Power::none, VotePlan::Power::rank, VotePlan::Power::majority}) {
    m_plan.votes.power = gate;
    const std::string directory = std::to_string(static_cast<int>(gate));
    const RunRow recorded = evolve(directory, proposals);
    const std::vector<std::string> expected = outcomes();
    const int calls = m_backend.calls;
    const Archive archive(m_directory / directory, Archive::Mode::read_only);
    const RunRow replayed =
        evolve(directory + "_again", proposals, RecordedRun{archive, recorded.id});
    EXPECT_EQ(outcomes(), expected);
    EXPECT_EQ(replayed.summary["verifiers"], recorded.summary["verifiers"]);
    EXPECT_EQ(m_backend.calls, calls);
  }
}

}  // namespace
}  // namespace robust_kbench
