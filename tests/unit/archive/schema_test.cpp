#include "archive/schema.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "archive/archive.hpp"
#include "archive/call_store.hpp"
#include "archive/row_tables.hpp"
#include "archive_directory.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The statements that made an archive of version 1, and a run in it.
constexpr const char* version_1 = R"(
PRAGMA journal_mode = WAL;
CREATE TABLE runs(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL,
  direction TEXT NOT NULL, device TEXT NOT NULL, seed TEXT NOT NULL, settings TEXT NOT NULL,
  state TEXT NOT NULL, stop_reason TEXT NOT NULL, winner INTEGER NOT NULL, summary TEXT NOT NULL,
  started_at TEXT NOT NULL, ended_at TEXT NOT NULL);
CREATE TABLE proposals(run TEXT NOT NULL, id INTEGER NOT NULL, generation INTEGER NOT NULL,
  sample INTEGER NOT NULL, stage TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
  reason_class TEXT NOT NULL, parents TEXT NOT NULL, proposer TEXT NOT NULL,
  strategy TEXT NOT NULL, source_hash TEXT NOT NULL, token_hash TEXT NOT NULL,
  object_hash TEXT NOT NULL, settings TEXT NOT NULL, seconds TEXT NOT NULL, speedup REAL,
  ci_low REAL, ci_high REAL, device TEXT NOT NULL, gpu TEXT NOT NULL, toolkit TEXT NOT NULL,
  record_hash TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY(run, id));
CREATE TABLE effects(run TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  value_hash TEXT NOT NULL, PRIMARY KEY(run, key));
INSERT INTO runs VALUES(1, 'layernorm.forward.cpu.1', 'layernorm', 'forward', 'cpu', '7', '{}',
  'ended', 'plateau', 0, '{}', '2026-11-25T13:02:00.123Z', '2026-11-25T13:04:00.123Z');
INSERT INTO effects VALUES('layernorm.forward.cpu.1', 'clock/1', '5', '');
PRAGMA application_id = 1380663873;
PRAGMA user_version = 1;
)";

class SchemaTest : public ArchiveDirectory {
 protected:
  SchemaTest() {
    std::filesystem::create_directories(place());
    Database(database(), Database::Mode::create).execute(version_1);
  }
  [[nodiscard]] std::int64_t version() const {
    const Database read(database(), Database::Mode::read_only);
    Statement version = read.prepare("PRAGMA user_version");
    version.step();
    return version.integer(0);
  }
};

TEST_F(SchemaTest, IsUpdatedInPlace) {
  {
    const Archive archive(place(), Archive::Mode::read_write);
    EXPECT_EQ(archive.run("layernorm.forward.cpu.1").stop_reason, "plateau");
    EXPECT_EQ(archive.effect("layernorm.forward.cpu.1", "clock/1"), nlohmann::json(5));
  }
  EXPECT_EQ(version(), archive_schema_version);
  CallStore store(place(), Database::Mode::read_write);
  const CallRow row = store.add({.identity = {.run = "layernorm.forward.cpu.1", .call = "a"}}, {},
                                [](CallRow&, const CallTotals&) {});
  EXPECT_EQ(store.calls("layernorm.forward.cpu.1"), std::vector<CallRow>{row});
}

// Older versions profiled a proposal after its races, as a stage of its own.
TEST_F(SchemaTest, StagesOfOlderVersionsAreRead) {
  Database(database(), Database::Mode::create).execute(R"(
INSERT INTO proposals VALUES('layernorm.forward.cpu.1', 1, 0, 0, 'profiled', '', '', '', '[]',
  '', '', '', '', '', '{}', '{}', NULL, NULL, NULL, '', '', '', '', ''))");
  const Archive archive(place(), Archive::Mode::read_only);
  const ProposalRow row = archive.proposal("layernorm.forward.cpu.1", 1);
  EXPECT_EQ(row.stage, ProposalStage::profiled);
  EXPECT_EQ(nlohmann::json(row).at("stage"), "profiled");
  EXPECT_EQ(archive.run("layernorm.forward.cpu.1").state, RunState::ended);
}

TEST_F(SchemaTest, UnknownNameIsAnErrorThatNamesItsColumn) {
  Database(database(), Database::Mode::create).execute(R"(
INSERT INTO proposals VALUES('layernorm.forward.cpu.1', 1, 0, 0, 'proposed', 'won', '', '', '[]',
  '', '', '', '', '', '{}', '{}', NULL, NULL, NULL, '', '', '', '', ''))");
  const Archive archive(place(), Archive::Mode::read_only);
  try {
    (void)archive.proposals("layernorm.forward.cpu.1");
    FAIL() << "a proposal that won was read";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("column outcome"));
    EXPECT_THAT(error.what(), testing::HasSubstr("'won' is unknown; known: accepted, kept"));
  }
}

TEST_F(SchemaTest, IsNotUpdatedInReadOnlyMode) {
  const Archive archive(place(), Archive::Mode::read_only);
  EXPECT_EQ(archive.runs().size(), 1);
  const CallStore store(place(), Database::Mode::read_only);
  EXPECT_TRUE(store.calls("layernorm.forward.cpu.1").empty());
  EXPECT_EQ(store.answer("layernorm.forward.cpu.1", "hash"), std::nullopt);
  EXPECT_TRUE(store.exchanges("layernorm.forward.cpu.1", 1).empty());
  EXPECT_EQ(store.totals({"layernorm.forward.cpu.1"}).calls, 0);
  EXPECT_EQ(version(), 1);
}

TEST_F(SchemaTest, IsUpdatedOnceByConcurrentProcesses) {
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
}

}  // namespace
}  // namespace robust_kbench
