#include "core/error.hpp"
#include "scripted.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Death {
  const char* script;
  Verdict verdict;
  const char* reason;
};

void PrintTo(const Death& death, std::ostream* out) {
  *out << death.script;
}

class WorkerDeath : public testing::TestWithParam<Death> {};

TEST_P(WorkerDeath, IsJudgedByTheWaitStatus) {
  WorkerOptions options = scripted_options();
  options.limits.address_space_bytes = std::size_t{128} << 20;
  const Judgement end = end_of(GetParam().script, options);
  EXPECT_EQ(to_string(end.verdict), to_string(GetParam().verdict));
  EXPECT_THAT(end.reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    All, WorkerDeath,
    testing::Values(Death{"segfault", Verdict::crash, "killed by SIGSEGV in the middle of a call"},
                    Death{"abort", Verdict::crash, "killed by SIGABRT in the middle of a call"},
                    Death{"exit 0", Verdict::crash, "exited with code 0 in the middle of a call"},
                    Death{"exit 77", Verdict::crash, "exited with code 77 in the middle of a call"},
                    Death{"allocate in a thread", Verdict::out_of_memory, "killed by SIGABRT"},
                    Death{"kill", Verdict::out_of_memory, "killed by SIGKILL"},
                    Death{"hold channel", Verdict::crash, "exited with code 5"},
                    Death{"announce", Verdict::crash, "message of 4294967295 bytes"}));

TEST(WorkerDeathReason, HasTheEscapedOutputBesideIt) {
  const Judgement end = end_of("abort");
  EXPECT_EQ(end.output, R"([  PASSED  ] \x1b[2J bad \xff)");
  EXPECT_THAT(end.reason, Not(HasSubstr("PASSED")));
}

TEST(WorkerDeathReason, HasATraceOfTheFault) {
  for (const char* script : {"write to null", "overflow the stack"}) {
    const Judgement end = end_of(script);
    EXPECT_EQ(end.verdict, Verdict::crash);
    EXPECT_THAT(end.reason, HasSubstr("killed by SIGSEGV in the middle of a call"));
    EXPECT_THAT(end.reason,
                ContainsRegex("fault at address 0x[0-9a-f]+ in\n  scripted_worker\\+0x"));
  }
}

TEST(WorkerOutput, IsBoundedWithoutEndingTheWorker) {
  WorkerOptions options = scripted_options();
  options.limits.file_bytes = std::size_t{5} << 14;  // whole lines of five bytes
  options.output_bytes = 12;
  Scripted scripted("print", options);
  EXPECT_TRUE(std::holds_alternative<Ran>(scripted.worker.run()));
  EXPECT_EQ(scripted.worker.output(), "text\ntext");  // from the beginning of a line
  scripted.worker.forget_output();
  EXPECT_EQ(scripted.worker.output(), "");
}

TEST(WorkerOutput, HasStdoutAndStderrInTheirOrder) {
  Scripted scripted("print to both");
  EXPECT_TRUE(std::holds_alternative<Ran>(scripted.worker.run()));
  EXPECT_TRUE(std::holds_alternative<Done>(scripted.worker.release()));
  EXPECT_EQ(scripted.worker.output(), "one\ntwo\nthree");
}

TEST(WorkerDeathByLimit, OfMemory) {
  WorkerOptions options = scripted_options();
  options.limits.address_space_bytes = std::size_t{128} << 20;
  Scripted scripted("allocate", options);
  EXPECT_EQ(std::get<Judgement>(scripted.worker.run()).verdict, Verdict::out_of_memory);
}

TEST(WorkerDeathByLimit, OfTime) {
  WorkerOptions options = scripted_options();
  options.limits.call_timeout = std::chrono::seconds{2};
  for (const char* script : {"hang", "stop"}) {
    const Judgement end = end_of(script, options);
    EXPECT_EQ(end.verdict, Verdict::timeout) << script;
    EXPECT_THAT(end.reason, HasSubstr("gave no answer within 2 s in the middle of a call"));
  }
}

TEST(WorkerDeathByLimit, OfTheStartNamesItsOwnLimit) {
  WorkerOptions options = scripted_options();
  options.arguments = {"never-starts"};
  options.limits.call_timeout = std::chrono::milliseconds{100};
  options.limits.start_timeout = std::chrono::milliseconds{300};
  WorkerProcess worker(options);
  try {
    worker.greet();
    FAIL() << "it has started";
  } catch (const HarnessError& error) {
    EXPECT_STREQ(
        error.what(),
        "the worker cannot start: the worker gave no answer within 0.3 s while it started");
  }
}

TEST(WorkerDeath, InLoadNamesTheMoment) {
  WorkerProcess worker(scripted_options());
  const auto end = std::get<Judgement>(worker.load({"exit in load", "forward"}));
  EXPECT_EQ(end.verdict, Verdict::crash);
  EXPECT_EQ(end.reason, "the worker exited with code 0 while it was loaded");
}

TEST(WorkerDeath, IsRememberedByLaterRequests) {
  Scripted scripted("segfault");
  std::get<Judgement>(scripted.worker.run());
  EXPECT_FALSE(scripted.worker.alive());
  const auto again = std::get<Judgement>(scripted.worker.collect(1));
  EXPECT_THAT(again.reason, HasSubstr("SIGSEGV"));
}

TEST(WorkerDeath, AnAnswerBeforeItsRequestIsMalformed) {
  Scripted scripted("answer ahead");
  const auto end = std::get<Judgement>(scripted.worker.run());
  EXPECT_EQ(end.verdict, Verdict::crash);
  EXPECT_THAT(end.reason, HasSubstr("sent a malformed message in the middle of a call"));
}

TEST(WorkerDeath, ClosedChannelOfALiveWorkerIsACrash) {
  Scripted scripted("close channel");
  const auto end = std::get<Judgement>(scripted.worker.run());
  EXPECT_EQ(end.verdict, Verdict::crash);
  EXPECT_THAT(end.reason, HasSubstr("closed its channel and lived on"));
}

// Without a sandbox the directory is on the disk, and with one it is a file system of its own.
TEST(WorkerExcess, OfFilesIsAViolation) {
  for (const char* sandbox : {"", RKB_SANDBOX}) {
    WorkerOptions options = scripted_options();
    options.sandbox = sandbox;
    options.limits.scratch_bytes = std::size_t{2} << 20;
    const Judgement end = end_of("write files", options);
    EXPECT_EQ(to_string(end.verdict), to_string(Verdict::sandbox_violation)) << sandbox;
    EXPECT_THAT(end.reason, HasSubstr("to its temporary directory; the limit is 2 MiB"));
  }
}

TEST(WorkerExcess, OfThreadsIsAViolation) {
  WorkerOptions options = scripted_options();
  options.limits.threads = 10;
  const Judgement end = end_of("start threads", options);
  EXPECT_EQ(to_string(end.verdict), to_string(Verdict::sandbox_violation));
  EXPECT_THAT(end.reason, ContainsRegex("had 2[0-9] threads in its processes; the limit is 10"));
}

}  // namespace
}  // namespace robust_kbench
