#include "llm/ledger.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "archive/archive.hpp"
#include "archive/call_costs.hpp"
#include "archive_directory.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

constexpr const char* run = "layernorm.forward.cpu.1";
const Reservation reservation{.input_tokens = 100, .output_tokens = 50, .cost = MicroDollars{1000}};
const Reservation unpriced{.input_tokens = 100, .output_tokens = 50};

CallIdentity call(const std::string& name, const std::string& whose = run) {
  return {.run = whose,
          .call = name,
          .request_hash = "hash",
          .stage = "propose",
          .proposal = 1,
          .model = "stub/model"};
}

AttemptEnd paid(std::int64_t micro_usd, std::int64_t tokens = 60) {
  return {.status = "ok",
          .seconds = 1,
          .usage = TokenUsage{.input = tokens - 20, .output = 20},
          .cost = MicroDollars{micro_usd}};
}

class LedgerTest : public ArchiveDirectory {
 protected:
  LedgerTest() { make_archive(); }

  // Makes an archive whose runs these tests name.
  void make_archive() const {
    Archive archive(place(), Archive::Mode::create);
    for (const char* task : {"layernorm", "a", "a", "a", "b"}) {
      archive.begin_run({task, Direction::forward}, Device::cpu, 1, nlohmann::json::object());
    }
  }
  // A command with its own ledger on the archive.
  struct Command {
    Command(const std::filesystem::path& place, const Ledger::Options& options)
        : archive(place, Archive::Mode::read_write), ledger(archive, options) {}
    Archive archive;
    Ledger ledger;
  };
  [[nodiscard]] Command command(const SpendingCap& cap, bool stops_on_overrun = true) const {
    return {place(), {.cap = cap, .stops_on_overrun = stops_on_overrun}};
  }
  static CallState asked(Ledger& ledger, const std::string& name,
                         const Reservation& asked_for = reservation) {
    return ledger.reserve(call(name), "stub.example", asked_for).state;
  }
  // The state of an attempt whose endpoint reports no usage, so that its reservation is charged.
  static CallState without_usage(Ledger& ledger, const std::string& name) {
    const CallRow row = ledger.reserve(call(name), "stub.example", reservation);
    if (row.state != CallState::reserved) return row.state;
    return ledger.settle(row, {.status = "timeout"}).state;
  }
  static int end_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
};

TEST_F(LedgerTest, GrantsAttemptsThatFitIntoEveryLimit) {
  const auto granted = [&](const SpendingCap& cap) {
    Command one = command(cap);
    one.ledger.begin(run);
    int count = 0;
    while (without_usage(one.ledger, "propose/1") == CallState::estimated) ++count;
    std::filesystem::remove_all(place());
    make_archive();
    return count;
  };
  EXPECT_EQ(granted({.micro_usd = MicroDollars{3000}}), 3);
  EXPECT_EQ(granted({.micro_usd = MicroDollars{2999}}), 2);
  EXPECT_EQ(granted({.tokens = 300}), 2);
  EXPECT_EQ(granted({.calls = 4}), 4);
  EXPECT_EQ(granted({.micro_usd = MicroDollars{3000}, .tokens = 300, .calls = 1}), 1);
  EXPECT_EQ(granted({}), 0);
}

TEST_F(LedgerTest, StoresTheReservationBeforeItGrants) {
  Command one = command({.calls = 1});
  one.ledger.begin(run);
  (void)asked(one.ledger, "propose/1");
  const Archive reader(place(), Archive::Mode::read_only);
  const std::vector<CallRow> rows = reader.calls(run);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0].identity, call("propose/1"));
  EXPECT_EQ(rows[0].state, CallState::reserved);
  EXPECT_EQ(rows[0].reserved, MicroDollars{1000});
  EXPECT_EQ(rows[0].reserved_tokens, 150);
  EXPECT_EQ(rows[0].host, "stub.example");
  EXPECT_EQ(rows[0].ended_at, "");
}

TEST_F(LedgerTest, ChargesByUsage) {
  Command one = command({.micro_usd = MicroDollars{2000}, .tokens = 1000, .calls = 5});
  one.ledger.begin(run);
  const CallRow row = one.ledger.settle(
      one.ledger.reserve(call("propose/1"), "stub.example", reservation), paid(300));
  EXPECT_EQ(row.state, CallState::charged);
  EXPECT_EQ(one.archive.calls(run), std::vector<CallRow>{row});
  EXPECT_EQ(row.charged, MicroDollars{300});
  EXPECT_EQ(row.charged_tokens, 60);
  EXPECT_EQ(to_text(one.ledger.left()), "$0.0017, 940 tokens, 4 calls left");
  (void)one.ledger.reserve(call("propose/2"), "stub.example", reservation);
  EXPECT_EQ(one.ledger.spent().micro_usd, MicroDollars{300});
  EXPECT_EQ(one.ledger.spent().tokens, 60);
  EXPECT_EQ(one.ledger.spent().calls, 2);  // one of them is still open
}

TEST_F(LedgerTest, ChargesTheReservationWithoutAUsage) {
  Command one = command({.micro_usd = MicroDollars{5000}});
  one.ledger.begin(run);
  const CallRow row =
      one.ledger.settle(one.ledger.reserve(call("propose/1"), "stub.example", reservation),
                        {.status = "timeout", .message = "nothing came"});
  EXPECT_EQ(row.state, CallState::estimated);
  EXPECT_EQ(row.charged, MicroDollars{1000});
  EXPECT_EQ(row.charged_tokens, 150);
  EXPECT_EQ(row.usage, std::nullopt);
  EXPECT_EQ(one.ledger.left().micro_usd, MicroDollars{4000});
}

TEST_F(LedgerTest, BelievesNoLowerCostWithoutAUsage) {
  Command one = command({.micro_usd = MicroDollars{5000}});
  one.ledger.begin(run);
  const auto settled = [&](const char* name, MicroDollars cost) {
    return one.ledger.settle(one.ledger.reserve(call(name), "stub.example", reservation),
                             {.status = "ok", .cost = cost});
  };
  const CallRow cheap = settled("propose/1", MicroDollars{0});
  EXPECT_EQ(cheap.state, CallState::estimated);
  EXPECT_EQ(cheap.charged, MicroDollars{1000});
  const CallRow dear = settled("propose/2", MicroDollars{1500});
  EXPECT_EQ(dear.state, CallState::overrun);
  EXPECT_EQ(dear.charged, MicroDollars{1500});
}

TEST_F(LedgerTest, ChargesNothingForRefusedAttempts) {
  Command one = command({.micro_usd = MicroDollars{1000}, .calls = 3});
  one.ledger.begin(run);
  for (const char* status : {"rate_limited", "overloaded"}) {
    const CallRow row =
        one.ledger.settle(one.ledger.reserve(call("propose/1"), "stub.example", reservation),
                          {.status = status, .is_billable = false});
    EXPECT_EQ(row.state, CallState::failed);
    EXPECT_EQ(row.charged, MicroDollars{0});
  }
  // A retry has a number of its own, and each attempt counts.
  const CallRow retry = one.ledger.reserve(call("propose/1"), "stub.example", reservation);
  EXPECT_EQ(retry.attempt, 3);
  EXPECT_EQ(retry.state, CallState::reserved);
  EXPECT_EQ(one.ledger.left().calls, 0);
}

// An endpoint that reports an error before any output has only read the input.
TEST_F(LedgerTest, ChargesTheHighestPossibleCost) {
  Command one = command({.micro_usd = MicroDollars{1400}});
  one.ledger.begin(run);
  const Reservation input{.input_tokens = 100, .output_tokens = 0, .cost = MicroDollars{200}};
  const CallRow row =
      one.ledger.settle(one.ledger.reserve(call("propose/1"), "stub.example", reservation),
                        {.status = "server_error", .at_most = input});
  EXPECT_EQ(row.state, CallState::estimated);
  EXPECT_EQ(row.charged, MicroDollars{200});
  EXPECT_EQ(row.charged_tokens, 100);
  EXPECT_EQ(asked(one.ledger, "propose/2"), CallState::reserved);
}

TEST_F(LedgerTest, NamesTheOriginOfTheLimit) {
  const CapTexts own{.max_usd = "RKB_MAX_USD", .max_tokens = "", .max_calls = "--max-calls"};
  const CapTexts committed{
      .max_usd = "the setting max_usd of s.json", .max_tokens = "", .max_calls = ""};
  const auto refused = [&](const SpendingCap& cap, const SpendingCap& lowering) {
    Command one{place(),
                {.cap = cap, .committed = lowering, .places = own, .committed_places = committed}};
    one.ledger.begin(run);
    return one.ledger.reserve(call("propose/1"), "stub.example", reservation).message;
  };
  const SpendingCap little{.micro_usd = MicroDollars{999}};
  const SpendingCap much{.micro_usd = MicroDollars{5000}};
  EXPECT_THAT(refused(little, {}), HasSubstr("raise RKB_MAX_USD to go on"));
  EXPECT_THAT(refused(little, much), HasSubstr("raise RKB_MAX_USD to go on"));
  EXPECT_THAT(refused(much, little), HasSubstr("raise the setting max_usd of s.json to go on"));
  EXPECT_THAT(refused({.calls = 0}, much), HasSubstr("raise --max-calls to go on"));
}

TEST(LimitsText, HasEachLimitWithItsPlace) {
  const SpendingCap cap{.micro_usd = MicroDollars{5'000'000}, .calls = 12};
  const SpendingCap committed{.micro_usd = MicroDollars{2'000'000}, .tokens = 100};
  EXPECT_EQ(limits_text({.cap = cap}), "$5.00 (--max-usd), 12 calls (--max-calls)");
  EXPECT_EQ(
      limits_text({.cap = cap,
                   .committed = committed,
                   .committed_places = {.max_usd = "a", .max_tokens = "b", .max_calls = "c"}}),
      "$2.00 (a), 100 tokens (b), 12 calls (--max-calls)");
  EXPECT_EQ(limits_text({.committed = committed}), "");
}

TEST_F(LedgerTest, RecordsAttemptsThatWereNotGranted) {
  Command one = command({.micro_usd = MicroDollars{1500}});
  one.ledger.begin(run);
  (void)without_usage(one.ledger, "propose/1");
  const CallRow row = one.ledger.reserve(call("propose/2"), "stub.example", reservation);
  EXPECT_EQ(row.state, CallState::not_granted);
  EXPECT_EQ(row.message,
            "stub/model may take up to $0.001, and $0.001 of the cap of $0.0015 are spent or "
            "reserved; raise --max-usd to go on");
  EXPECT_EQ(one.archive.calls(run).size(), 2);
  EXPECT_EQ(one.ledger.left().micro_usd, MicroDollars{500});
}

TEST_F(LedgerTest, StopsAfterAnOverrun) {
  Command one = command({.micro_usd = MicroDollars{100'000}});
  one.ledger.begin(run);
  const CallRow row = one.ledger.settle(
      one.ledger.reserve(call("propose/1"), "stub.example", reservation), paid(2000, 300));
  EXPECT_EQ(row.state, CallState::overrun);
  EXPECT_EQ(row.charged, MicroDollars{2000});
  EXPECT_EQ(row.charged_tokens, 300);
  EXPECT_THAT(one.ledger.stopped().value_or(""),
              HasSubstr("cost $0.002 and 300 tokens, but at most $0.001 and 150 tokens had been"));
  EXPECT_EQ(asked(one.ledger, "propose/2"), CallState::not_granted);
  // A person who starts the next command has seen the reason.
  Command next = command({.micro_usd = MicroDollars{100'000}});
  EXPECT_EQ(next.ledger.stopped(), std::nullopt);
}

TEST_F(LedgerTest, ContinuesAfterAnOverrunIfTheSettingsAllow) {
  Command one = command({.micro_usd = MicroDollars{100'000}}, false);
  one.ledger.begin(run);
  const CallRow row = one.ledger.settle(
      one.ledger.reserve(call("propose/1"), "stub.example", reservation), paid(900, 151));
  EXPECT_EQ(row.state, CallState::overrun);
  EXPECT_EQ(one.ledger.stopped(), std::nullopt);
  EXPECT_EQ(asked(one.ledger, "propose/2"), CallState::reserved);
}

TEST_F(LedgerTest, NeedsAnotherLimitForAModelWithoutAPrice) {
  {
    Command one = command({.micro_usd = MicroDollars{100'000}});
    one.ledger.begin(run);
    const CallRow row = one.ledger.reserve(call("propose/1"), "stub.example", unpriced);
    EXPECT_EQ(row.state, CallState::not_granted);
    EXPECT_THAT(row.message, HasSubstr("give --max-tokens or --max-calls as well"));
  }
  Command one = command({.micro_usd = MicroDollars{1}, .tokens = 200});
  one.ledger.begin(run);
  AttemptEnd end = paid(0);
  end.cost = std::nullopt;
  const CallRow row =
      one.ledger.settle(one.ledger.reserve(call("propose/1"), "stub.example", unpriced), end);
  EXPECT_EQ(row.state, CallState::charged);
  EXPECT_EQ(row.charged, std::nullopt);  // unknown, which is not 0
  EXPECT_FALSE(sum_costs(one.archive.calls(run)).at(0).is_priced);
  EXPECT_EQ(asked(one.ledger, "propose/2", unpriced), CallState::not_granted);
}

// A repository may commit a model without a price and an arbitrarily high limit.
TEST_F(LedgerTest, TakesNoCommittedLimitForThePersons) {
  Archive archive(place(), Archive::Mode::read_write);
  Ledger ledger(archive,
                {.cap = {.micro_usd = MicroDollars{100'000}}, .committed = {.calls = 1'000'000}});
  ledger.begin(run);
  EXPECT_EQ(asked(ledger, "propose/1", unpriced), CallState::not_granted);
  EXPECT_EQ(asked(ledger, "propose/2"), CallState::reserved);
}

TEST_F(LedgerTest, KeepsToCommittedLimits) {
  Archive archive(place(), Archive::Mode::read_write);
  Ledger ledger(archive, {.cap = {.micro_usd = MicroDollars{100'000}}, .committed = {.calls = 1}});
  ledger.begin(run);
  EXPECT_EQ(asked(ledger, "propose/1"), CallState::reserved);
  EXPECT_EQ(asked(ledger, "propose/2"), CallState::not_granted);
}

TEST_F(LedgerTest, CountsReportedCostsOfAModelWithoutAPrice) {
  Command one = command({.micro_usd = MicroDollars{1000}, .calls = 10});
  one.ledger.begin(run);
  const auto reports = [&](std::int64_t micro_usd) {
    one.ledger.settle(one.ledger.reserve(call("propose/1"), "stub.example", unpriced),
                      paid(micro_usd));
  };
  reports(400);
  reports(600);
  const CallRow row = one.ledger.reserve(call("propose/2"), "stub.example", unpriced);
  EXPECT_EQ(row.state, CallState::not_granted);
  EXPECT_THAT(row.message, HasSubstr("$0.001 of the cap of $0.001 are spent or reserved"));
}

TEST_F(LedgerTest, CountsNoAttemptThatWasNeverSent) {
  Command one = command({.calls = 2});
  one.ledger.begin(run);
  for (int attempt = 0; attempt < 3; ++attempt) {
    one.ledger.settle(one.ledger.reserve(call("propose/1"), "stub.example", reservation),
                      {.status = "circuit_open", .is_billable = false});
  }
  EXPECT_EQ(one.ledger.left().calls, 2);
  EXPECT_EQ(asked(one.ledger, "propose/1"), CallState::reserved);
}

TEST_F(LedgerTest, KeepsEachPriceOnce) {
  Command one = command({.calls = 3});
  one.ledger.begin(run);
  Reservation priced = reservation;
  for (const char* price : {"1", "2", "1", "3"}) {
    priced.price = {{"input_mtok", price}};
    (void)asked(one.ledger, "propose/1", priced);
  }
  const Database tables(database(), Database::Mode::read_only);
  Statement row = tables.prepare("SELECT key, value FROM effects WHERE run = ? ORDER BY value");
  row.bind(run);
  for (const char* price : {"1", "2"}) {  // the last attempt was not granted
    const std::string entry = nlohmann::json{{"input_mtok", price}}.dump();
    ASSERT_TRUE(row.step());
    EXPECT_EQ(row.text(0), "price/stub/model/" + sha256(entry));
    EXPECT_EQ(row.text(1), entry);
  }
  EXPECT_FALSE(row.step());
}

TEST_F(LedgerTest, CountsEarlierCallsOfACoveredRun) {
  {
    Command before = command({.calls = 5});
    before.ledger.begin("a.forward.cpu.1");
    (void)before.ledger.reserve(call("propose/1", "a.forward.cpu.1"), "h", reservation);
  }
  Command one = command({.calls = 2});
  one.ledger.cover("a.forward.cpu.1");
  one.ledger.begin(run);
  EXPECT_EQ(asked(one.ledger, "propose/1"), CallState::reserved);
  EXPECT_EQ(asked(one.ledger, "propose/2"), CallState::not_granted);
  // The attempt is closed when its own run continues.
  EXPECT_EQ(one.archive.calls("a.forward.cpu.1").at(0).state, CallState::reserved);
}

TEST_F(LedgerTest, CountsAllRunsOfTheCommand) {
  Command one = command({.calls = 3});
  for (const char* whose : {"a.forward.cpu.1", "b.forward.cpu.1"}) {
    one.ledger.begin(whose);
    EXPECT_EQ(one.ledger.reserve(call("propose/1", whose), "h", reservation).state,
              CallState::reserved);
  }
  EXPECT_EQ(one.ledger.left().calls, 1);
  EXPECT_THROW((void)asked(one.ledger, "propose/1"), HarnessError);  // this run has not begun
}

TEST_F(LedgerTest, ChargesAttemptsThatWereOpenAtAKill) {
  const pid_t child = fork();
  if (child == 0) {
    Command killed = command({.micro_usd = MicroDollars{2500}});
    killed.ledger.begin(run);
    (void)asked(killed.ledger, "propose/1");
    raise(SIGKILL);
  }
  ASSERT_EQ(end_of(child), SIGKILL);
  Command resumed = command({.micro_usd = MicroDollars{2500}});
  resumed.ledger.begin(run);
  const CallRow row = resumed.archive.calls(run).at(0);
  EXPECT_EQ(row.state, CallState::unknown);
  EXPECT_EQ(row.charged, MicroDollars{1000});
  EXPECT_EQ(row.charged_tokens, 150);
  const CallRow again = resumed.ledger.reserve(call("propose/1"), "stub.example", reservation);
  EXPECT_EQ(again.attempt, 2);
  EXPECT_EQ(again.state, CallState::reserved);
  resumed.ledger.settle(again, {.status = "timeout"});
  EXPECT_EQ(asked(resumed.ledger, "propose/2"), CallState::not_granted);
}

TEST_F(LedgerTest, LeavesARunToTheProcessThatWritesIt) {
  Command one = command({.calls = 3});
  one.ledger.begin(run);
  (void)asked(one.ledger, "propose/1");
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      Command second = command({.calls = 3});
      second.ledger.begin(run);
    } catch (const UserError&) {
      code = 0;
    }
    _exit(code);
  }
  EXPECT_EQ(end_of(child), 0);
  EXPECT_EQ(one.archive.calls(run).at(0).state, CallState::reserved);
}

TEST_F(LedgerTest, LetsProcessesAskAtTheSameTime) {
  std::vector<pid_t> children;
  constexpr int processes = 3;
  constexpr int calls = 20;
  for (int i = 0; i < processes; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    const std::string whose = "a.forward.cpu." + std::to_string(i + 1);
    Command one = command({.calls = calls});
    one.ledger.begin(whose);
    for (int number = 0; number < calls; ++number) {
      const std::string name = "propose/" + std::to_string(number);
      one.ledger.settle(one.ledger.reserve(call(name, whose), "h", reservation), paid(300));
    }
    const bool is_full =
        one.ledger.reserve(call("x", whose), "h", reservation).state == CallState::not_granted;
    _exit(is_full ? 0 : 1);
  }
  for (const pid_t child : children) EXPECT_EQ(end_of(child), 0);
  const Archive reader(place(), Archive::Mode::read_only);
  EXPECT_EQ(reader.calls("a.forward.cpu.2").size(), calls + 1);
}

TEST_F(LedgerTest, WaitsForAttemptsThatMayLeaveEnough) {
  Command one = command({.micro_usd = MicroDollars{1500}});
  one.ledger.begin(run);
  const CallRow first = one.ledger.reserve(call("propose/1"), "stub.example", reservation);
  CallState second = CallState::not_granted;
  {
    const std::jthread other([&] { second = asked(one.ledger, "propose/2"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it should be waiting by then
    one.ledger.settle(first, paid(300));
  }
  EXPECT_EQ(second, CallState::reserved);
}

TEST_F(LedgerTest, WaitsForNothingThatCannotMakeRoom) {
  Command one = command({.micro_usd = MicroDollars{1500}, .calls = 2});
  one.ledger.begin(run);
  (void)without_usage(one.ledger, "propose/1");
  (void)asked(one.ledger, "propose/2", {.cost = MicroDollars{100}});
  EXPECT_EQ(asked(one.ledger, "propose/3", {.cost = MicroDollars{100}}), CallState::not_granted);
  EXPECT_EQ(asked(one.ledger, "propose/4"), CallState::not_granted);
}

TEST_F(LedgerTest, KeepsToTheCapWhenThreadsAskAtTheSameTime) {
  Command one = command({.micro_usd = MicroDollars{10'000}});
  one.ledger.begin(run);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 5; ++i) {
          (void)without_usage(one.ledger, "propose/" + std::to_string(thread));
        }
      });
    }
  }
  const std::vector<CallRow> rows = one.archive.calls(run);
  EXPECT_EQ(rows.size(), 20);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                          [](const CallRow& row) { return row.state == CallState::estimated; }),
            10);
}

TEST_F(LedgerTest, SumsCostsByStagePurposeAndModel) {
  Command one = command({.calls = 10});
  one.ledger.begin(run);
  CallIdentity verify = call("verify/1/memory");
  verify.stage = "verify";
  verify.purpose = "memory";
  const auto reserved = [&](const CallIdentity& identity) {
    return one.ledger.reserve(identity, "h", reservation);
  };
  one.ledger.settle(reserved(call("propose/1")), {.status = "rate_limited", .is_billable = false});
  one.ledger.settle(reserved(call("propose/1")), paid(300));
  one.ledger.settle(reserved(call("propose/2")), {.status = "timeout"});
  one.ledger.settle(reserved(verify), paid(50));
  one.ledger.note_unpaid(verify, "manual");
  const std::vector<CallCosts> costs = sum_costs(one.archive.calls(run));
  ASSERT_EQ(costs.size(), 2);
  EXPECT_EQ(costs[0], (CallCosts{.stage = "propose",
                                 .model = "stub/model",
                                 .calls = 2,
                                 .attempts = 3,
                                 .failed = 2,
                                 .tokens = 210,
                                 .micro_usd = MicroDollars{1300},
                                 .is_estimated = true}));
  EXPECT_EQ(costs[1], (CallCosts{.stage = "verify",
                                 .purpose = "memory",
                                 .model = "stub/model",
                                 .calls = 1,
                                 .attempts = 1,
                                 .tokens = 60,
                                 .micro_usd = MicroDollars{50}}));
}

}  // namespace
}  // namespace robust_kbench
