#include "archive/archive.hpp"
#include "archive/proposal_calls.hpp"
#include "archive_directory.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* calls_run = "layernorm.forward.cpu.1";
constexpr const char* calls_request = R"({"messages":[{"content":"Is it right?","role":"user"}]})";

class ArchiveCallsTest : public ArchiveDirectory {
 protected:
  ArchiveCallsTest() {
    m_archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 1, json::object());
  }

  static CallIdentity identity() {
    return {.run = calls_run,
            .call = "propose/1",
            .request_hash = sha256(calls_request),
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
  CallRow add(const CallRow& row) {
    return m_archive.add_call(row, {calls_run}, [](CallRow&, const CallTotals&) {});
  }

  Archive m_archive{place(), Archive::Mode::create};
};

TEST_F(ArchiveCallsTest, KeepsEveryColumn) {
  CallRow kept = add(row());
  EXPECT_EQ(kept.attempt, 1);
  EXPECT_NE(kept.started_at, "");
  EXPECT_EQ(m_archive.calls(calls_run), std::vector<CallRow>{kept});
  kept.state = CallState::charged;
  kept.status = "ok";
  kept.charged = MicroDollars{300};
  kept.charged_tokens = 60;
  kept.usage = TokenUsage{.input = 40, .cached_input = 8, .output = 20, .reasoning = 5};
  kept.seconds = 1.25;
  kept.message = "text";
  kept.ended_at = "2026-11-25T13:02:00.123Z";
  m_archive.end_call(kept);
  EXPECT_EQ(m_archive.calls(calls_run), std::vector<CallRow>{kept});
}

TEST_F(ArchiveCallsTest, KeepsUnknownAmounts) {
  CallRow unpriced = row();
  unpriced.reserved = std::nullopt;
  const CallRow kept = add(unpriced);
  EXPECT_EQ(m_archive.calls(calls_run), std::vector<CallRow>{kept});
}

TEST_F(ArchiveCallsTest, CountsOpenAttemptsWithTheirReservation) {
  CallRow first = add(row());
  add(row());
  first.state = CallState::charged;
  first.charged = MicroDollars{300};
  first.charged_tokens = 60;
  m_archive.end_call(first);
  const CallTotals totals = m_archive.call_totals({calls_run, "another"});
  EXPECT_EQ(totals.micro_usd, MicroDollars{1300});
  EXPECT_EQ(totals.tokens, 210);
  EXPECT_EQ(totals.calls, 2);
}

TEST_F(ArchiveCallsTest, AddsNothingWhereTheDecisionFails) {
  const auto fail = [](CallRow&, const CallTotals&) { throw HarnessError("no"); };
  EXPECT_THROW((void)m_archive.add_call(row(), {calls_run}, fail), HarnessError);
  EXPECT_TRUE(m_archive.calls(calls_run).empty());
}

TEST_F(ArchiveCallsTest, ShowsAConversationOnceHoweverManyAttemptsItTook) {
  CallRow asked = row();
  asked.identity.request_hash = m_archive.put_content(calls_request);
  add(asked);
  const auto by_verifier = [&](std::int64_t proposal) {
    return proposal_messages(m_archive, m_archive.calls(calls_run), proposal).by_verifier;
  };
  EXPECT_TRUE(by_verifier(3).empty());
  add(asked);
  m_archive.record_effect(calls_run, asked.identity.answer_key(), {{"text", "yes"}});
  const json messages = json::parse(R"([{"role": "user", "content": "Is it right?"},
                                        {"role": "assistant", "content": "yes"}])");
  EXPECT_EQ(by_verifier(3).at("memory"), messages);
  EXPECT_TRUE(by_verifier(4).empty());
}

TEST_F(ArchiveCallsTest, RefusesToWriteInReadOnlyMode) {
  Archive reader(place(), Archive::Mode::read_only);
  EXPECT_THROW((void)reader.add_call(row(), {}, [](CallRow&, const CallTotals&) {}), HarnessError);
  EXPECT_THROW(reader.end_call(row()), HarnessError);
}

TEST_F(ArchiveCallsTest, LeaveARunToItsWriter) {
  Archive second(place(), Archive::Mode::read_write);
  EXPECT_THROW((void)second.add_call(row(), {}, [](CallRow&, const CallTotals&) {}), UserError);
  EXPECT_TRUE(m_archive.calls(calls_run).empty());
}

}  // namespace
}  // namespace robust_kbench
