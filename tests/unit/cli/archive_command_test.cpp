#include <cstdlib>
#include <fstream>
#include <iterator>

#include "../archive/archive_directory.hpp"
#include "../archive/sample_archive.hpp"
#include "process/command.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The program over an archive with one run.
class ArchiveCommandTest : public ArchiveDirectory {
 protected:
  ArchiveCommandTest() {
    Archive archive(place(), Archive::Mode::create);
    fill_sample(archive);
  }
  [[nodiscard]] CommandResult rkb(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{RKB_AGENT_PROGRAM, "archive"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.insert(command.end(), {"--archive", place().string()});
    return run_command(command, std::chrono::minutes{1});
  }
};

TEST_F(ArchiveCommandTest, ListsRuns) {
  const CommandResult result = rkb({"list"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output,
              testing::ContainsRegex("layernorm.forward.cpu.1 +layernorm.forward +cpu +6 +2 "
                                     "+6 +3.00x +- +ended"));
}

TEST_F(ArchiveCommandTest, ShowsARun) {
  const CommandResult result = rkb({"show", sample_run});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("layernorm.forward.cpu.1: ended (plateau), seed 7, started 2"),
            HasSubstr("winner: proposal 6 (accepted, winner, not confirmed), 3.00x over its "
                      "seed in search"),
            HasSubstr("1.50x  1.40..1.60"), HasSubstr("\\x1b[31mno"),
            HasSubstr("refused: 1 compile_error, 1 duplicate, 1 wrong_result")));
  EXPECT_THAT(result.output, AllOf(Not(HasSubstr("second line")), Not(HasSubstr("\x1b"))));
}

TEST_F(ArchiveCommandTest, ShowsAProposalWithItsLineageAndRecord) {
  const CommandResult result = rkb({"show", sample_run, "6"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr(
                "proposal 6 of layernorm.forward.cpu.1: accepted, winner, not confirmed at stage "
                "archived"),
            HasSubstr(place().string() + "/content/"), testing::ContainsRegex("6 +accepted +2.00x"),
            testing::ContainsRegex("1 +seed +- +- +1.00x"), HasSubstr("12.0 us")));
  EXPECT_THAT(rkb({"show", sample_run, "4"}).output,
              AllOf(HasSubstr("second line"), Not(HasSubstr("\x1b"))));
}

TEST_F(ArchiveCommandTest, WritesItsTablesForOtherPrograms) {
  const std::string file = (place() / "table.json").string();
  const auto json_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--json", file});
    EXPECT_EQ(rkb(words).exit_code, 0);
    std::ifstream in(file);
    return nlohmann::json::parse(in);
  };
  const nlohmann::json listed = json_of({"list"})["runs"][0];
  EXPECT_EQ(listed["id"], sample_run);
  EXPECT_EQ(listed["proposals"], 6);
  EXPECT_EQ(listed["accepted"], 2);
  EXPECT_EQ(listed["in_search"], 3.0);
  EXPECT_TRUE(listed["confirmed"].is_null());
  const nlohmann::json shown = json_of({"show", sample_run});
  EXPECT_EQ(shown["run"], listed);
  ASSERT_EQ(shown["proposals"].size(), 6);
  EXPECT_EQ(shown["proposals"][5]["standing"], "accepted, winner, not confirmed");
  EXPECT_THAT(shown["proposals"][3]["reason"].get<std::string>(), HasSubstr("second line"));
  const nlohmann::json proposal = json_of({"show", sample_run, "6"});
  EXPECT_EQ(proposal["proposal"], shown["proposals"][5]);
  EXPECT_EQ(proposal["lineage"].size(), 3);
  EXPECT_EQ(proposal["lineage"].back()["standing"], "seed");
  EXPECT_EQ(proposal["record"]["verdict"], "pass");
  EXPECT_EQ(json_of({"costs", sample_run})["costs"].size(), 0);
  const nlohmann::json best = json_of({"best"})["best"][0];
  EXPECT_EQ(best["proposal"], 6);
  EXPECT_EQ(best["kernel_us"], 12.0);
  EXPECT_EQ(best["over_seed"], 3.0);
}

TEST_F(ArchiveCommandTest, ShowsTheCostOfModels) {
  EXPECT_EQ(rkb({"costs", sample_run}).output, "no language model was asked\n");
  Archive archive(place(), Archive::Mode::read_write);
  const auto add = [&](std::int64_t proposal, const std::string& purpose, CallState state,
                       std::optional<MicroDollars> charged) {
    archive.add_call({.identity = {.run = sample_run,
                                   .call = purpose + std::to_string(proposal),
                                   .stage = purpose.empty() ? "propose" : "verify",
                                   .purpose = purpose,
                                   .proposal = proposal,
                                   .model = "stub/model"}},
                     {}, [&](CallRow& row, const CallTotals&) {
                       row.state = state;
                       row.charged = charged;
                       row.charged_tokens = 100;
                     });
  };
  add(2, "", CallState::charged, MicroDollars{200'000});
  add(3, "", CallState::estimated, MicroDollars{50'000});
  add(3, "memory", CallState::overrun, std::nullopt);
  add(9, "memory", CallState::charged, MicroDollars{});  // no proposal of a model's
  const CommandResult result = rkb({"costs", sample_run});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output,
              AllOf(testing::ContainsRegex("propose +- +stub/model +2 +2 +2 +200 +about \\$0.25"),
                    testing::ContainsRegex("verify +memory +stub/model +2 +2 +2 +200 +no price"),
                    HasSubstr("total: about $0.25 and no price, 400 tokens; $0.125 for each of 2 "
                              "proposals"),
                    HasSubstr("\n1 attempt cost more than had been reserved")));
}

TEST_F(ArchiveCommandTest, CountsTheCostOfARunsTranslation) {
  Archive archive(place(), Archive::Mode::read_write);
  const std::string translation =
      archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 7, {}).id;
  archive.record_effect(sample_run, "translation", translation);
  archive.add_call({.identity = {.run = translation,
                                 .call = "translate/1",
                                 .stage = "translate",
                                 .purpose = "",
                                 .proposal = 1,
                                 .model = "stub/model"}},
                   {}, [](CallRow& row, const CallTotals&) {
                     row.state = CallState::charged;
                     row.charged = MicroDollars{30'000};
                     row.charged_tokens = 100;
                   });
  EXPECT_THAT(rkb({"costs", sample_run}).output,
              testing::ContainsRegex("translate +- +stub/model +1 +1 +1 +100 +\\$0.03"));
}

TEST_F(ArchiveCommandTest, ComparesAProposalWithItsParentOrAnother) {
  EXPECT_EQ(rkb({"diff", sample_run, "6"}).output,
            "--- layernorm.forward.cpu.1/2\n+++ layernorm.forward.cpu.1/6\n"
            "@@ -1,3 +1,3 @@\n a\n-x\n+z\n c\n");
  EXPECT_THAT(rkb({"diff", sample_run, "6", "1"}).output, HasSubstr("-b\n+z\n"));
  const CommandResult seed = rkb({"diff", sample_run, "1"});
  EXPECT_EQ(seed.exit_code, 2);
  EXPECT_THAT(seed.output, HasSubstr("has no parent; name the proposal to compare it with"));
}

TEST_F(ArchiveCommandTest, WritesAPageOfARunWithoutItsPaths) {
  setenv("PIP_NO_INDEX", "1", 1);  // the page is written with or without the library of charts
  const std::string file = (place() / "page.html").string();
  const CommandResult result = rkb({"report", sample_run, "--html", file});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  std::ifstream in(file);
  const std::string page(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(page, AllOf(HasSubstr("Evolution layernorm.forward.cpu.1"),
                          HasSubstr(R"("name":"6: 2.00x, the winner")"),
                          HasSubstr(R"("kind":"diff")"), Not(HasSubstr(place().string()))));
  EXPECT_EQ(rkb({"report", "unknown", "--html", file}).exit_code, 2);
}

TEST_F(ArchiveCommandTest, ExportsInEachFormat) {
  EXPECT_THAT(rkb({"export", sample_run}).output, HasSubstr("\"type\":\"proposal\""));
  EXPECT_THAT(rkb({"export", sample_run, "--format", "csv27"}).output, HasSubstr("Batch ID,"));
  EXPECT_THAT(rkb({"export", sample_run, "--format", "t4"}).output, HasSubstr("\"invalidity\""));
  EXPECT_EQ(rkb({"export", sample_run, "--format", "xml"}).exit_code, 2);
}

TEST_F(ArchiveCommandTest, ShowsTheFastestOfAnEntry) {
  EXPECT_THAT(rkb({"best"}).output,
              testing::ContainsRegex("layernorm.forward +cpu +layernorm.forward.cpu.1 +6 "
                                     "+12.0 us +3.00x +accepted, winner, not confirmed "
                                     "+/.*/content/"));
  EXPECT_THAT(rkb({"best", "--task", "mnist_linear"}).output, Not(HasSubstr("layernorm")));
  EXPECT_EQ(rkb({"best", "--task", "layrnorm"}).exit_code, 2);
}

TEST_F(ArchiveCommandTest, UsageErrorsExitWith2) {
  EXPECT_EQ(rkb({"show", "softmax.forward.cpu.1"}).exit_code, 2);
  EXPECT_EQ(rkb({"show", sample_run, "99"}).exit_code, 2);
  const CommandResult missing =
      run_command({RKB_AGENT_PROGRAM, "archive", "list", "--archive", m_directory / "none"},
                  std::chrono::minutes{1});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.output, HasSubstr("holds no archive"));
  EXPECT_EQ(run_command({RKB_AGENT_PROGRAM, "archive"}, std::chrono::minutes{1}).exit_code, 2);
}

TEST_F(ArchiveCommandTest, FindsTheArchiveByTheEnvironment) {
  const CommandResult result = run_command(
      {"env", "ROBUST_KBENCH_ARCHIVE=" + place().string(), RKB_AGENT_PROGRAM, "archive", "list"},
      std::chrono::minutes{1});
  EXPECT_THAT(result.output, HasSubstr(sample_run));
}

}  // namespace
}  // namespace robust_kbench
