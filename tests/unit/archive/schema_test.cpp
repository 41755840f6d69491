#include "archive/schema.hpp"

#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "archive/archive.hpp"
#include "archive/export_jsonl.hpp"
#include "archive/proposal_calls.hpp"
#include "archive/row_tables.hpp"
#include "archive_directory.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"
#include "older_archives.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

constexpr const char* old_request = R"({"messages":[{"content":"Why?","role":"user"}]})";
constexpr const char* old_answer = R"({"outcome":"ok","text":"So."})";

class SchemaTest : public ArchiveDirectory {
 protected:
  [[nodiscard]] std::int64_t version() const {
    const Database read(database(), Database::Mode::read_only);
    Statement version = read.prepare("PRAGMA user_version");
    version.step();
    return version.integer(0);
  }
  void expect_effects(std::int64_t count) const {
    const Database read(database(), Database::Mode::read_only);
    Statement effects = read.prepare("SELECT count(*) FROM effects");
    effects.step();
    EXPECT_EQ(effects.integer(0), count);
  }
  // The archive has what its calls cost, and the conversation.
  static void expect_answer(const Archive& archive) {
    EXPECT_EQ(archive.effect(old_run, "clock/1"), nlohmann::json(5));
    EXPECT_EQ(archive.effect(old_run, "answer/" + sha256(old_request)),
              nlohmann::json::parse(old_answer));
    EXPECT_EQ(archive.effect(old_run, "answer/" + sha256("another")), std::nullopt);
    EXPECT_EQ(archive.effect("layernorm.forward.cpu.2", "answer/" + sha256(old_request)),
              std::nullopt);
    EXPECT_EQ(archive.call_totals({old_run}).micro_usd, MicroDollars{300});
    EXPECT_EQ(proposal_messages(archive, archive.calls(old_run), 1).proposing,
              nlohmann::json::parse(R"([{"role": "user", "content": "Why?"},
                                        {"role": "assistant", "content": "So."}])"));
    std::ostringstream lines;
    export_jsonl(archive, old_run, lines);
    EXPECT_THAT(lines.str(), HasSubstr(R"("call":"propose/1")"));
  }
};

TEST_F(SchemaTest, Version1IsUpdatedInPlace) {
  make_version_1(place());
  Archive archive(place(), Archive::Mode::read_write);
  EXPECT_EQ(archive.run(old_run).stop_reason, "plateau");
  EXPECT_EQ(archive.effect(old_run, "clock/1"), nlohmann::json(5));
  EXPECT_EQ(version(), archive_schema_version);
  const CallRow row = archive.add_call({.identity = {.run = old_run, .call = "a"}}, {},
                                       [](CallRow&, const CallTotals&) {});
  EXPECT_EQ(archive.calls(old_run), std::vector<CallRow>{row});
}

TEST_F(SchemaTest, Version1IsNotUpdatedInReadOnlyMode) {
  make_version_1(place());
  const Archive archive(place(), Archive::Mode::read_only);
  EXPECT_EQ(archive.runs().size(), 1);
  EXPECT_TRUE(archive.calls(old_run).empty());
  EXPECT_EQ(archive.call_totals({old_run}).calls, 0);
  EXPECT_EQ(version(), 1);
}

TEST_F(SchemaTest, Version2IsUpdatedInPlace) {
  make_version_2(place(), old_request, old_answer);
  Archive archive(place(), Archive::Mode::read_write);
  EXPECT_EQ(version(), archive_schema_version);
  expect_answer(archive);
  archive.record_effect(old_run, "answer/" + sha256("another"), "new");
  expect_effects(3);
}

TEST_F(SchemaTest, Version2IsNotUpdatedInReadOnlyMode) {
  make_version_2(place(), old_request, old_answer);
  const Archive archive(place(), Archive::Mode::read_only);
  expect_answer(archive);
  EXPECT_EQ(version(), 2);
  expect_effects(1);
}

TEST_F(SchemaTest, IsReadOnWhileItIsUpdated) {
  make_version_2(place(), old_request, old_answer);
  const Archive reader(place(), Archive::Mode::read_only);
  const Archive writer(place(), Archive::Mode::read_write);
  expect_answer(reader);
  expect_answer(writer);
}

TEST_F(SchemaTest, IsNotUpdatedWhileAnOlderProgramWrites) {
  make_version_2(place(), old_request, old_answer);
  {
    const RunLock older(place() / "locks" / old_run, old_run);
    try {
      const Archive archive(place(), Archive::Mode::read_write);
      FAIL() << "an archive that an older program writes was updated";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr("has schema 2, and cannot become 3 while an older "
                            "program, process " +
                            std::to_string(getpid()) + ", writes its run layernorm.forward.cpu.1"));
    }
    expect_answer(Archive(place(), Archive::Mode::read_only));
  }
  expect_answer(Archive(place(), Archive::Mode::read_write));
}

// Older versions profiled a proposal after its races, as a stage of its own.
TEST_F(SchemaTest, StagesOfOlderVersionsAreRead) {
  make_version_1(place()).execute(R"(
INSERT INTO proposals VALUES('layernorm.forward.cpu.1', 1, 0, 0, 'profiled', '', '', '', '[]',
  '', '', '', '', '', '{}', '{}', NULL, NULL, NULL, '', '', '', '', ''))");
  const Archive archive(place(), Archive::Mode::read_only);
  const ProposalRow row = archive.proposal(old_run, 1);
  EXPECT_EQ(row.stage, ProposalStage::profiled);
  EXPECT_EQ(nlohmann::json(row).at("stage"), "profiled");
  EXPECT_EQ(archive.run(old_run).state, RunState::ended);
}

TEST_F(SchemaTest, UnknownNameIsAnErrorThatNamesItsColumn) {
  make_version_1(place()).execute(R"(
INSERT INTO proposals VALUES('layernorm.forward.cpu.1', 1, 0, 0, 'proposed', 'won', '', '', '[]',
  '', '', '', '', '', '{}', '{}', NULL, NULL, NULL, '', '', '', '', ''))");
  const Archive archive(place(), Archive::Mode::read_only);
  try {
    (void)archive.proposals(old_run);
    FAIL() << "a proposal that won was read";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("column outcome"));
    EXPECT_THAT(error.what(), HasSubstr("'won' is unknown; known: accepted, kept"));
  }
}

TEST_F(SchemaTest, IsUpdatedOnceByConcurrentProcesses) {
  make_version_2(place(), old_request, old_answer);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    const Archive archive(place(), Archive::Mode::create);
    _exit(0);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(version(), archive_schema_version);
  expect_answer(Archive(place(), Archive::Mode::read_only));
  expect_effects(2);
}

}  // namespace
}  // namespace robust_kbench
