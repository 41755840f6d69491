#include "archive/call_store.hpp"

#include "archive/archive.hpp"
#include "archive_directory.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* run = "layernorm.forward.cpu.1";
constexpr const char* request = R"({"call":"propose/1"})";

class CallStoreTest : public ArchiveDirectory {
 protected:
  CallStoreTest() { Archive(place(), Archive::Mode::create); }

  static CallIdentity identity() {
    return {.run = run,
            .call = "propose/1",
            .request_hash = sha256(request),
            .stage = "verify",
            .purpose = "memory",
            .proposal = 3,
            .model = "stub/model"};
  }
  static CallRow row() {
    return {.identity = identity(),
            .host = "stub.example",
            .reserved = MicroDollars{1000},
            .reserved_tokens = 150};
  }
  static CallRow add(CallStore& store, const CallRow& row) {
    return store.add(row, {run}, [](CallRow&, const CallTotals&) {});
  }
};

TEST_F(CallStoreTest, KeepsEveryColumn) {
  CallStore store(place(), Database::Mode::read_write);
  CallRow kept = add(store, row());
  EXPECT_EQ(kept.attempt, 1);
  EXPECT_NE(kept.started_at, "");
  EXPECT_EQ(store.calls(run), std::vector<CallRow>{kept});
  kept.state = CallState::charged;
  kept.status = "ok";
  kept.charged = MicroDollars{300};
  kept.charged_tokens = 60;
  kept.usage = TokenUsage{.input = 40, .cached_input = 8, .output = 20, .reasoning = 5};
  kept.seconds = 1.25;
  kept.message = "text";
  kept.ended_at = "2026-11-25T13:02:00.123Z";
  store.end(kept);
  EXPECT_EQ(store.calls(run), std::vector<CallRow>{kept});
}

TEST_F(CallStoreTest, KeepsUnknownAmounts) {
  CallStore store(place(), Database::Mode::read_write);
  CallRow unpriced = row();
  unpriced.reserved = std::nullopt;
  const CallRow kept = add(store, unpriced);
  EXPECT_EQ(store.calls(run), std::vector<CallRow>{kept});
}

TEST_F(CallStoreTest, CountsOpenAttemptsWithTheirReservation) {
  CallStore store(place(), Database::Mode::read_write);
  CallRow first = add(store, row());
  add(store, row());
  first.state = CallState::charged;
  first.charged = MicroDollars{300};
  first.charged_tokens = 60;
  store.end(first);
  const CallTotals totals = store.totals({run, "another"});
  EXPECT_EQ(totals.micro_usd, MicroDollars{1300});
  EXPECT_EQ(totals.tokens, 210);
  EXPECT_EQ(totals.calls, 2);
}

TEST_F(CallStoreTest, AddsNothingWhereTheDecisionFails) {
  CallStore store(place(), Database::Mode::read_write);
  const auto fail = [](CallRow&, const CallTotals&) { throw HarnessError("no"); };
  EXPECT_THROW((void)store.add(row(), {run}, fail), HarnessError);
  EXPECT_TRUE(store.calls(run).empty());
}

TEST_F(CallStoreTest, KeepsOneAnswerToARequest) {
  CallStore store(place(), Database::Mode::read_write);
  EXPECT_EQ(store.answer(run, sha256(request)), std::nullopt);
  store.keep_answer(identity(), request, {{"text", "yes"}});
  store.keep_answer(identity(), request, {{"text", "yes"}});
  EXPECT_EQ(store.answer(run, sha256(request)), json({{"text", "yes"}}));
  EXPECT_EQ(store.answer("another", sha256(request)), std::nullopt);
  EXPECT_THROW(store.keep_answer(identity(), request, {{"text", "no"}}), HarnessError);
  CallIdentity other = identity();
  other.run = "another";
  EXPECT_THROW(store.keep_answer(other, "another request", {{"text", "no"}}), HarnessError);
}

TEST_F(CallStoreTest, HasTheExchangesAboutAProposal) {
  CallStore store(place(), Database::Mode::read_write);
  store.keep_answer(identity(), request, {{"text", "yes"}});
  const auto exchanges = store.exchanges(run, 3);
  ASSERT_EQ(exchanges.size(), 1);
  EXPECT_EQ(exchanges[0].identity, identity());
  EXPECT_EQ(exchanges[0].request, request);
  EXPECT_EQ(exchanges[0].answer, R"({"text":"yes"})");
  EXPECT_TRUE(store.exchanges(run, 4).empty());
}

TEST_F(CallStoreTest, FindsADamagedAnswer) {
  CallStore store(place(), Database::Mode::read_write);
  store.keep_answer(identity(), request, {{"text", "yes"}});
  const std::string hash = sha256(R"({"text":"yes"})");
  std::ofstream(place() / "content" / hash.substr(0, 2) / hash.substr(2)) << "{";
  EXPECT_THROW((void)store.answer(run, sha256(request)), UserError);
}

TEST_F(CallStoreTest, LeavesARunToItsArchive) {
  Archive archive(place(), Archive::Mode::read_write);
  archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 1, json::object());
  CallStore store(place(), Database::Mode::read_write);
  store.hold(run);
  store.hold("verify.1");
  CallStore second(place(), Database::Mode::read_write);
  second.hold("verify.1");
}

TEST_F(CallStoreTest, NeedsAnArchiveThatHoldsTheRun) {
  {
    Archive archive(place(), Archive::Mode::read_write);
    archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 1, json::object());
  }
  CallStore store(place(), Database::Mode::read_write);
  EXPECT_THROW(store.hold(run), HarnessError);
  Archive archive(place(), Archive::Mode::read_write);
  archive.hold(run);
  store.hold(run);
}

TEST_F(CallStoreTest, RefusesToWriteInReadOnlyMode) {
  CallStore store(place(), Database::Mode::read_only);
  EXPECT_THROW((void)add(store, row()), HarnessError);
  EXPECT_THROW(store.hold(run), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
