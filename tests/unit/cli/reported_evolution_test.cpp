#include "agent/reported_evolution.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Keeps what it hears.
struct Heard : RunListener {
  void show(const nlohmann::json& event) override { events.push_back(event); }
  void note(const std::string& text) override { notes.push_back(text); }

  std::vector<nlohmann::json> events;
  std::vector<std::string> notes;
};

nlohmann::json proposal_of(int generation) {
  return {{"event", "proposal"}, {"generation", generation}};
}

TEST(ReportedEvolution, RenewsThePageOnceAGeneration) {
  Heard heard;
  std::vector<std::string> renewed;
  ReportedEvolution reported(heard, [&](const std::string& run) { renewed.push_back(run); });
  reported.begins("layernorm.forward.cpu.1");
  for (const int generation : {0, 0, 1, 1, 1, 2}) reported.show(proposal_of(generation));
  reported.show({{"event", "accepted"}, {"generation", 3}});
  EXPECT_THAT(renewed, testing::ElementsAre("layernorm.forward.cpu.1", "layernorm.forward.cpu.1",
                                            "layernorm.forward.cpu.1"));
  EXPECT_EQ(heard.events.size(), 7);
}

TEST(ReportedEvolution, NotesAPageThatCannotBeWrittenAndGoesOn) {
  Heard heard;
  ReportedEvolution reported(heard,
                             [](const std::string&) { throw UserError("the disk is full"); });
  reported.begins("run");
  EXPECT_NO_THROW(reported.show(proposal_of(1)));
  EXPECT_THAT(heard.notes, testing::ElementsAre(testing::HasSubstr("the disk is full")));
}

}  // namespace
}  // namespace robust_kbench
