#include "archive/export_dataset.hpp"

#include <algorithm>

#include "archive_directory.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"
#include "sample_archive.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* mark = "0123456789abcdef01234567";

// A run whose seventh proposal comes from a language model.
class ExportDatasetTest : public ArchiveDirectory {
 protected:
  ExportDatasetTest() {
    fill_sample(m_archive);
    ProposalRow row{
        .id = 7, .run = sample_run, .generation = 3, .sample = 2, .stage = ProposalStage::raced};
    row.device = "cuda";
    row.settings = {{"name", "fast_sum"},
                    {"description", "One warp a row, in /home/me/notes."},
                    {"votes", {{"memory", 1}, {"numerics", 0}, {"compilation", nullptr}}}};
    row.source_hash = m_archive.put_content("// planted sk-0123456789abcdefghij\nint x;\n");
    row.record_hash = put_record(m_archive, sample_record(Verdict::pass, 10));
    m_archive.save(row);
    exchange("propose", "", std::string("Write a kernel.\n") + mark, "<cuda>int x;</cuda>", 65'487);
    exchange("verify", "memory", "Judge.", "True", 15'020);
    exchange("verify", "numerics", "Judge.", "False", 10'000);
  }

  void exchange(const std::string& stage, const std::string& purpose, const std::string& text,
                const std::string& answer, std::int64_t micro_usd,
                const std::string& outcome = "ok") {
    const json message{{"role", "user"}, {"content", text}};
    const std::string request =
        json{{"call", stage + purpose}, {"messages", json::array({message})}}.dump();
    const CallIdentity identity{.run = sample_run,
                                .call = stage + purpose,
                                .request_hash = sha256(request),
                                .stage = stage,
                                .purpose = purpose,
                                .proposal = 7,
                                .model = "stub/model"};
    m_archive.add_call({.identity = identity}, {}, [&](CallRow& row, const CallTotals&) {
      row.state = CallState::charged;
      row.charged = MicroDollars{micro_usd};
    });
    m_archive.put_content(request);
    m_archive.record_effect(sample_run, identity.answer_key(),
                            {{"text", answer}, {"outcome", outcome}});
  }

  [[nodiscard]] std::filesystem::path dataset() const { return m_directory / "dataset"; }
  [[nodiscard]] std::string last_line() const {
    const std::string text = text_of(dataset() / "results.csv");
    return text.substr(text.find("\n3,2,") + 1);
  }

  Archive m_archive{place(), Archive::Mode::create};
};

// dataset_header.csv is the first line of highlighted/results.csv in
// github.com/SakanaAI/robust-kbench at commit 078f5bab29934a822268d59a4e707d449abf9b4e.
TEST_F(ExportDatasetTest, HasThePublishedHeader) {
  export_dataset(m_archive, sample_run, dataset());
  const std::string header = text_of(GOLDEN "dataset_header.csv");
  ASSERT_EQ(std::count(header.begin(), header.end(), ','), 26);
  EXPECT_EQ(text_of(dataset() / "results.csv").substr(0, header.size()), header);
}

TEST_F(ExportDatasetTest, HasAFolderForEachProposal) {
  export_dataset(m_archive, sample_run, dataset());
  const std::filesystem::path folders =
      dataset() / "layernorm.forward.cpu.1" / "layernorm" / "forward";
  EXPECT_EQ(text_of(folders / "b0_s0_plain/kernel.cpp"), "a\nb\nc\n");
  EXPECT_EQ(text_of(folders / "b0_s0_kernel_4/kernel.cpp"), "broken\n");
  EXPECT_FALSE(std::filesystem::exists(folders / "b0_s0_plain/msg_hist.json"));
  EXPECT_EQ(text_of(folders / "b3_s2_fast_sum/kernel.cu"), "// planted [key]\nint x;\n");
  EXPECT_EQ(json::parse(text_of(folders / "b3_s2_fast_sum/msg_hist.json")),
            json::parse(R"([{"role": "user", "content": "Write a kernel.\n[mark]"},
                            {"role": "assistant", "content": "<cuda>int x;</cuda>"}])"));
}

TEST_F(ExportDatasetTest, FillsCostsAndVerifiersFromTheLedger) {
  export_dataset(m_archive, sample_run, dataset());
  const std::string line = last_line();
  EXPECT_THAT(line, StartsWith("3,2,fast_sum,layernorm.forward.cpu.1/layernorm/forward/"
                               "b3_s2_fast_sum/kernel.cu,True,"));
  EXPECT_THAT(line, AllOf(HasSubstr("\"One warp a row, in .../notes.\""),
                          HasSubstr("/b3_s2_fast_sum/msg_hist.json,0.065487,0.5,"),
                          HasSubstr(R"("{""aggregate"":0.5,""compilation"":null,""memory"":1,)"
                                    R"(""numerics"":0}")"),
                          HasSubstr(R"(""content"":""True"",""role"":""assistant"")"),
                          HasSubstr(R"("{""memory"":0.01502,""numerics"":0.01,""total"":0.02502}")"
                                    ",0.02502,layernorm,True")));
}

TEST_F(ExportDatasetTest, HasTheModelsFeedbackOnAProfile) {
  exchange("profile", "", "This is slow.", "1. Use the cache.", 0);
  exchange("profile", "again", "This is slow.", "I cannot", 0, "declined");
  export_dataset(m_archive, sample_run, dataset());
  EXPECT_THAT(last_line(), HasSubstr(",1. Use the cache.,layernorm.forward.cpu.1/"));
  const std::string messages = text_of(dataset() /
                                       "layernorm.forward.cpu.1/layernorm/forward/"
                                       "b3_s2_fast_sum/msg_hist.json");
  EXPECT_THAT(messages, testing::Not(HasSubstr("This is slow.")));
}

TEST_F(ExportDatasetTest, LeavesOutAnUnknownCost) {
  const CallIdentity identity{
      .run = sample_run, .call = "repair", .stage = "repair", .proposal = 7};
  m_archive.add_call({.identity = identity}, {},
                     [](CallRow& row, const CallTotals&) { row.state = CallState::charged; });
  export_dataset(m_archive, sample_run, dataset());
  EXPECT_THAT(last_line(), HasSubstr("/b3_s2_fast_sum/msg_hist.json,,0.5,"));
}

TEST_F(ExportDatasetTest, TakesNoNameThatLeadsOutOfTheDirectory) {
  ProposalRow row = m_archive.proposal(sample_run, 7);
  row.settings["name"] = "../../outside";
  m_archive.save(row);
  export_dataset(m_archive, sample_run, dataset());
  EXPECT_THAT(last_line(), HasSubstr("/b3_s2_kernel_7/kernel.cu"));
}

TEST_F(ExportDatasetTest, RefusesADirectoryThatIsNotEmpty) {
  export_dataset(m_archive, sample_run, dataset());
  EXPECT_THROW(export_dataset(m_archive, sample_run, dataset()), UserError);
}

}  // namespace
}  // namespace robust_kbench
