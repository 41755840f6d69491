#include <algorithm>
#include <sstream>

#include "archive/export_csv.hpp"
#include "archive/export_jsonl.hpp"
#include "archive/export_t4.hpp"
#include "archive_directory.hpp"
#include "sample_archive.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ExportsTest : public ArchiveDirectory {
 protected:
  ExportsTest() { fill_sample(m_archive); }

  [[nodiscard]] std::vector<json> lines() const {
    std::stringstream text;
    export_jsonl(m_archive, sample_run, text);
    std::vector<json> found;
    for (std::string line; std::getline(text, line);) found.push_back(json::parse(line));
    return found;
  }
  [[nodiscard]] std::string csv() const {
    std::ostringstream text;
    export_csv(m_archive, sample_run, text);
    return text.str();
  }

  Archive m_archive{place(), Archive::Mode::create};
};

TEST_F(ExportsTest, JsonLinesHoldTheRunAndEachProposal) {
  const std::vector<json> all = lines();
  ASSERT_EQ(all.size(), 7);
  EXPECT_EQ(all[0].at("type"), "run");
  EXPECT_EQ(all[0].at("winner"), 6);
  EXPECT_EQ(all[2].at("type"), "proposal");
  EXPECT_EQ(all[2].at("speedup"), 1.5);
  EXPECT_EQ(all[2].at("source"), "a\nx\nc\n");
  EXPECT_EQ(all[2].at("record").at("kernels").at(0).at("verdict"), "pass");
  EXPECT_EQ(all[1].at("speedup"), nullptr);
  EXPECT_EQ(all[4].at("record"), nullptr);
}

TEST_F(ExportsTest, JsonLinesHoldTheLedger) {
  m_archive.add_call(
      {.identity = {.run = sample_run, .call = "propose/1"}, .reserved = MicroDollars{5}}, {},
      [](CallRow&, const CallTotals&) {});
  const json call = lines().back();
  EXPECT_EQ(call.at("type"), "call");
  EXPECT_EQ(call.at("state"), "reserved");
  EXPECT_EQ(call.at("reserved_micro_usd"), 5);
  EXPECT_EQ(call.at("charged_micro_usd"), nullptr);
  EXPECT_EQ(call.at("input_tokens"), nullptr);
}

TEST_F(ExportsTest, CsvQuotesTextsWithCommasQuotesAndLines) {
  const std::string text = csv();
  EXPECT_THAT(text, HasSubstr(",2.5,,0.5,,none,,\"a\nx\nc\n\",\"{\"\"tunables\"\":"
                              "{\"\"threads\"\":128}}\",,,,,,,,,,,,layernorm,True\n"));
  EXPECT_THAT(text, HasSubstr(",False,,,,0.5,\"Output 'y' is not close, \"\"said\"\" the "
                              "check\",wrong_result,"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "\n1,0,kernel_2,layernorm.forward.cpu.1/layernorm/forward/b1_s0_kernel_2/kernel.cpp,"));
  EXPECT_THAT(text, testing::ContainsRegex(",True,0.020*[0-9]*,2.5,"));
}

// The seed took 30 us and eager mode 50.
TEST_F(ExportsTest, CsvComparesTimesAndSpeedupsOfAllConfigsAlone) {
  EXPECT_THAT(csv(), testing::ContainsRegex("/b0_s0_plain/kernel.cpp,True,0.0[0-9]+,1.66"));
  ProposalRow slow{.id = 7,
                   .run = sample_run,
                   .stage = ProposalStage::raced,
                   .outcome = ProposalOutcome::refused};
  slow.reason_class = "slower";
  KernelRecord record = sample_record(Verdict::pass, 40);
  record.timings.pop_back();
  record.mean_speedups.clear();
  slow.record_hash = put_record(m_archive, record);
  slow.source_hash = m_archive.put_content("slow\n");
  slow.settings = {{"tunables", {{"threads", 1}}}};
  m_archive.save(slow);
  EXPECT_THAT(csv(), HasSubstr("kernel_7,layernorm.forward.cpu.1/layernorm/forward/b0_s0_kernel_7/"
                               "kernel.cpp,True,,,,0.5,,none,"));
  const json measurements = export_t4(m_archive, sample_run)["results"].back()["measurements"];
  EXPECT_EQ(measurements, json::array());
}

TEST_F(ExportsTest, CsvCallsNoKernelCorrectThatNeverRan) {
  ProposalRow kept_back{.id = 7,
                        .run = sample_run,
                        .stage = ProposalStage::compiled,
                        .outcome = ProposalOutcome::refused};
  kept_back.reason_class = "outranked";
  kept_back.record_hash = put_record(m_archive, {.judgement = passed()});
  kept_back.source_hash = m_archive.put_content("nobody ran it\n");
  m_archive.save(kept_back);
  EXPECT_THAT(csv(), HasSubstr("/b0_s0_kernel_7/kernel.cpp,False,,,,,,outranked,"));
}

TEST_F(ExportsTest, CsvLeavesOutProposalsThatNoProposerWasAskedFor) {
  const std::int64_t lines_before = std::ranges::count(csv(), '\n');
  ProposalRow row{
      .id = 7, .run = sample_run, .outcome = ProposalOutcome::refused, .proposer = "llm"};
  row.reason_class = "no_source";
  row.source_hash = m_archive.put_content("");
  m_archive.save(row);
  CallRow call{.identity = {.run = sample_run, .call = "propose/7", .proposal = 7}};
  m_archive.add_call(
      call, {}, [](CallRow& added, const CallTotals&) { added.state = CallState::not_granted; });
  EXPECT_EQ(std::ranges::count(csv(), '\n'), lines_before);
  call.identity.call = "propose/7 again";
  m_archive.add_call(call, {},
                     [](CallRow& added, const CallTotals&) { added.state = CallState::failed; });
  EXPECT_EQ(std::ranges::count(csv(), '\n'), lines_before + 1);
  EXPECT_THAT(csv(), HasSubstr("\n0,0,kernel_7,,False,,,,,,no_source,"));
}

TEST_F(ExportsTest, T4HoldsTheTunedProposalsWithoutDuplicates) {
  const json t4 = export_t4(m_archive, sample_run);
  EXPECT_EQ(t4.at("schema_version"), "1.0.0");
  const json& results = t4.at("results");
  ASSERT_EQ(results.size(), 3);
  EXPECT_EQ(results[0].at("configuration"), json({{"threads", 128}}));
  EXPECT_EQ(results[0].at("invalidity"), "correct");
  EXPECT_EQ(results[0].at("times").at("compilation_time"), 500);
  EXPECT_EQ(results[0].at("times").at("validation"), 3000);
  EXPECT_EQ(results[0].at("times").at("framework"), 4000);
  EXPECT_EQ(results[0].at("times").at("runtimes"), json::array({0.01, 0.04}));
  const json& time = results[0].at("measurements").at(0);
  EXPECT_EQ(time.at("name"), "time");
  EXPECT_DOUBLE_EQ(time.at("value").get<double>(), 0.02);
  EXPECT_EQ(results[1].at("invalidity"), "correctness");
  EXPECT_EQ(results[1].at("correctness"), 0);
  EXPECT_EQ(results[2].at("invalidity"), "compile");
  EXPECT_EQ(results[2].at("measurements"), json::array());
}

}  // namespace
}  // namespace robust_kbench
