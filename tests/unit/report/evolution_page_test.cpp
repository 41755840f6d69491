#include "report/evolution_page.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

ShownProposal proposal(std::int64_t id, std::int64_t parent, const std::string& outcome) {
  return {.id = id,
          .parent = parent,
          .proposer = "llm",
          .strategy = "strategy " + std::to_string(id),
          .outcome = outcome,
          .standing = outcome,
          .reason_class = outcome == "refused" ? "slower" : "",
          .is_accepted = outcome == "accepted",
          .minutes = static_cast<double>(id),
          .dollars = 0.5,
          .source = "a\nb\n" + std::to_string(id) + "\n"};
}

ShownEvolution evolution() {
  ShownEvolution shown{.run = "r.1", .entry = "layernorm.forward", .device = "cpu"};
  shown.proposals = {proposal(1, 0, "seed"), proposal(2, 1, "refused"), proposal(3, 1, "accepted"),
                     proposal(4, 3, "accepted")};
  shown.proposals[2].speedup = shown.proposals[2].over_seed = 2;
  shown.proposals[3].speedup = 0.9;
  shown.proposals[3].over_seed = 1.8;
  shown.winner = 3;
  return shown;
}

nlohmann::json blocks_of(const nlohmann::json& page, const std::string& id) {
  for (const nlohmann::json& section : page.at("sections")) {
    if (section.at("id") == id) return section.at("blocks");
  }
  return nullptr;
}

TEST(EvolutionPage, DrawsOnlyGainsOverTimeAndCost) {
  const nlohmann::json blocks = blocks_of(evolution_page(evolution()), "progress");
  ASSERT_EQ(blocks.size(), 3);
  const nlohmann::json& points = blocks.at(1).at("chart").at("series").at(0).at("points");
  ASSERT_EQ(points.size(), 3) << "the seed, the one gain and the end";
  EXPECT_EQ(points.at(1).at(0), 3.0);
  EXPECT_EQ(points.at(1).at(1), 2.0);
  EXPECT_EQ(points.at(2).at(1), 2.0) << "a slower child displaces no best one";
  EXPECT_EQ(blocks.at(2).at("chart").at("x").at("name"), "dollars");
  EXPECT_EQ(blocks.at(2).at("chart").at("series").at(0).at("points").at(1).at(0), 1.5);
}

TEST(EvolutionPage, LeavesRefusedProposalsOutOfTheTreeButCountsThem) {
  const nlohmann::json blocks = blocks_of(evolution_page(evolution()), "tree");
  const nlohmann::json& seed = blocks.at(1).at("chart").at("root").at("children").at(0);
  ASSERT_EQ(seed.at("children").size(), 1);
  EXPECT_EQ(seed.at("children").at(0).at("name"), "3: 2.00x, the winner");
  EXPECT_NE(seed.at("more").get<std::string>().find("children refused: 1"), std::string::npos);
  EXPECT_EQ(blocks.at(1).at("table").at("rows").size(), 4);
}

TEST(EvolutionPage, ShowsTheWinnersCodeFirstAndItsDifference) {
  const nlohmann::json page = evolution_page(evolution());
  const nlohmann::json choice = blocks_of(page, "code").at(0);
  EXPECT_EQ(choice.at("first"), 2);
  const nlohmann::json& diff = choice.at("items").at(2).at("blocks").at(1);
  EXPECT_EQ(diff.at("edits"), nlohmann::json::parse(R"([[" ", 2], ["-", 1], ["+", 1]])"));
  EXPECT_EQ(page.at("texts").size(), 4) << "each source is there once";
}

TEST(EvolutionPage, SaysFirstWhatWonByHowMuchAndOverWhat) {
  ShownEvolution shown = evolution();
  shown.proposals[2].standing = "accepted, winner, not confirmed";
  shown.over_start.over = "plain";
  const auto headline = [&] {
    return evolution_page(shown).at("summary").at(0).at("text").get<std::string>();
  };
  EXPECT_EQ(headline(),
            "Proposal 3 won: it was 2.00x as fast as plain, with which the run began. That has not "
            "been confirmed by another measurement. It is \"strategy 3\", proposed by llm.");
  shown.over_start.confirmed = "1.90x (1.80..2.00)";
  shown.proposals[2].standing = "accepted, winner, confirmed, specialised";
  EXPECT_EQ(headline(),
            "Proposal 3 won: it is 1.90x (1.80..2.00) as fast as plain, with which the run began. "
            "That was measured anew to confirm it, with a 95 % interval in brackets. It is "
            "specialised: on shapes that the search has not seen it is not certainly faster. It is "
            "\"strategy 3\", proposed by llm.");
  shown.state = "ended";
  shown.winner = 0;
  EXPECT_EQ(headline(), "Nothing was better than what the run began with.");
}

TEST(EvolutionPage, SaysWhatTheWinnerIsNotFasterThanAndHowToRepeatIt) {
  ShownEvolution shown = evolution();
  shown.run = "x.forward.cpu.1";
  shown.machine = "a CPU";
  shown.speedups = {
      {.over = "torch", .confirmed = "1.90x (1.10..2.60)", .result = "faster"},
      {.over = "another", .confirmed = "1.28x (0.91..1.84)", .result = "not told apart"}};
  const nlohmann::json page = evolution_page(shown);
  const auto summary = [&](std::size_t i) {
    return page.at("summary").at(i).at("text").get<std::string>();
  };
  EXPECT_TRUE(summary(0).ends_with("It is not certainly faster than another: 1.28x (0.91..1.84)."));
  EXPECT_EQ(summary(0).find("torch"), std::string::npos);
  EXPECT_TRUE(summary(2).ends_with("They were measured on a CPU."));
  const nlohmann::json blocks = blocks_of(page, "repeat");
  EXPECT_NE(blocks.dump().find("rkb archive show x.forward.cpu.1 3 --archive DIRECTORY"),
            std::string::npos);
  EXPECT_NE(blocks.dump().find("rkb evolve --replay DIRECTORY:x.forward.cpu.1"), std::string::npos);
}

TEST(EvolutionPage, SaysInWordsWhyEachProposalWasRefused) {
  ShownEvolution shown = evolution();
  shown.proposals[1].reason = "0.80x (0.70..0.90)\n  on small/a " + std::string(1000, 'x');
  const nlohmann::json blocks = blocks_of(evolution_page(shown), "refusals");
  const nlohmann::json& rows = blocks.at(1).at("rows");
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows.at(0).at(2).at("t"), "slower");
  const auto why = rows.at(0).at(3).get<std::string>();
  EXPECT_TRUE(
      why.starts_with("it is certainly slower than its parent: 0.80x (0.70..0.90) on small/a x"));
  EXPECT_LT(why.size(), 250);
}

TEST(EvolutionPage, CountsRefusalsByProposerAndReason) {
  const nlohmann::json blocks = blocks_of(evolution_page(evolution()), "proposers");
  EXPECT_EQ(blocks.at(0).at("table").at("rows").dump(),
            R"([["llm","accepted",{"n":2,"t":"2"}],["llm","slower",{"n":1,"t":"1"}]])");
}

}  // namespace
}  // namespace robust_kbench
