#include "runs/run.hpp"

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// GoogleTest has a Run of its own.
using ArchiveRun = Run;

class RunTest : public RunFixture {
 protected:
  Heard m_listener;
};

TEST_F(RunTest, NobodyElseWritesToIt) {
  const std::string id = begin({});
  {
    const ArchiveRun run(context(), id, {}, m_listener);
    Archive other(place(), Archive::Mode::read_write);
    EXPECT_THROW(other.hold(id), UserError);
  }
  EXPECT_EQ(m_archive.writer_of(id), getpid()) << "as long as the archive is open";
}

TEST_F(RunTest, EndsWithItsSummary) {
  const std::string id = begin({});
  ArchiveRun run(context(), id, {}, m_listener);
  const RunRow row = run.until_interrupted([&] { return run.end("all is done", {{"done", 3}}); });
  EXPECT_EQ(row, m_archive.run(id));
  EXPECT_EQ(row.state, RunState::ended);
  EXPECT_EQ(row.stop_reason, "all is done");
  EXPECT_EQ(row.summary, json({{"done", 3}}));
}

TEST_F(RunTest, AnInterruptLeavesItAsOneThatMayGoOn) {
  const std::string id = begin({});
  ArchiveRun run(context(), id, {}, m_listener);
  const RunRow row = run.until_interrupted([]() -> RunRow { throw Cancelled(); });
  EXPECT_EQ(row, m_archive.run(id));
  EXPECT_EQ(row.state, RunState::interrupted);
  EXPECT_EQ(row.stop_reason, "interrupted");
}

TEST_F(RunTest, GoesOnOnlyWithTheSameInputs) {
  const std::string id = begin({});
  ArchiveRun(context(), id, {}, m_listener).require_inputs({{"kernel", "a"}});
  ArchiveRun again(context(), id, {}, m_listener);
  EXPECT_NO_THROW(again.require_inputs({{"kernel", "a"}}));
  try {
    again.require_inputs({{"kernel", "b"}});
    FAIL() << "it is another kernel";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("run " + id + " was about other kernels"));
    EXPECT_THAT(error.what(), HasSubstr("leave --resume out"));
  }
}

TEST_F(RunTest, ReplaysOnlyTheInputsOfTheRecordedRun) {
  const std::string recorded = begin({});
  ArchiveRun(context(), recorded, {}, m_listener).require_inputs({{"kernel", "a"}});
  RunContext replay = context();
  replay.recorded.emplace(RecordedRun{m_archive, recorded});
  ArchiveRun run(replay, begin({}), {}, m_listener);
  try {
    run.require_inputs({{"kernel", "b"}});
    FAIL() << "it is another kernel";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("run " + recorded + " was about other kernels"));
    EXPECT_THAT(error.what(), HasSubstr("leave --replay out"));
  }
}

TEST_F(RunTest, HasModelsWhereItsSettingsAskSome) {
  EvolutionSettings offline;
  offline.proposers = {"transform"};
  ArchiveRun without(context(), begin(offline), offline, m_listener);
  EXPECT_EQ(without.models(), nullptr);
  EXPECT_FALSE(m_listener.told_spending);
  ArchiveRun with(context(), begin(manual_settings()), manual_settings(), m_listener);
  EXPECT_NE(with.models(), nullptr);
  EXPECT_TRUE(m_listener.told_spending);
  EXPECT_EQ(with.refused(), std::nullopt);
}

TEST_F(RunTest, AsksNothingAfterAnInterrupt) {
  ArchiveRun run(context(), begin(manual_settings()), manual_settings(), m_listener);
  m_stop.request_stop();
  EXPECT_EQ(run.refused(), "interrupted");
  EXPECT_TRUE(run.asking().stop_requested());
}

}  // namespace
}  // namespace robust_kbench
