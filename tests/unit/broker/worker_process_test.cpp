#include "broker/worker_process.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "process/temporary_directory.hpp"
#include "process/threads.hpp"
#include "scripted.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

TEST(WorkerProcess, AnswersEveryRequestOfABatch) {
  Scripted scripted("nothing", scripted_options(), 3);
  WorkerProcess& worker = scripted.worker;
  const auto ran = std::get<Ran>(worker.run());
  const auto results = std::get<std::vector<CallResult>>(worker.collect(3));
  ASSERT_EQ(results.size(), 3U);
  std::uint64_t claimed = 0;
  for (const CallResult& result : results) claimed += result.span_ns;
  EXPECT_LE(claimed, ran.wall_ns);
  EXPECT_TRUE(std::holds_alternative<TensorRef>(results[0].outputs.at(0)));
  EXPECT_TRUE(std::holds_alternative<Done>(worker.release()));
  EXPECT_TRUE(worker.alive());
  EXPECT_EQ(worker.stop(), 0);
  EXPECT_FALSE(worker.alive());
}

TEST(WorkerProcess, SaysThatASubjectRunsCallByCall) {
  Scripted scripted("nothing", scripted_options(), 3);
  const Outcome<bool> prepared = scripted.worker.prepare_together();
  ASSERT_TRUE(std::holds_alternative<Judgement>(prepared));
  EXPECT_THAT(std::get<Judgement>(prepared).reason, HasSubstr("runs call by call"));
  EXPECT_TRUE(std::holds_alternative<Ran>(scripted.worker.run()));
}

// A sanitizer reports only after the worker has ended.
TEST(WorkerProcess, GivesItsToolTimeToFinish) {
  const TemporaryDirectory directory("tool");
  const std::string log = directory.path() / "log";
  WorkerOptions options = scripted_options();
  options.tool = {"/bin/sh", "-c", "\"$@\"; sleep 0.2; echo \"$2\" >" + log, "tool"};
  options.writable = {directory.path()};
  Scripted scripted("nothing", options);
  EXPECT_TRUE(std::holds_alternative<Ran>(scripted.worker.run()));
  scripted.worker.stop();
  std::string last_argument;
  std::ifstream(log) >> last_argument;
  EXPECT_EQ(last_argument, "--inspected");
}

TEST(WorkerProcess, GivesTheSignatureOfTheLoadedFunction) {
  WorkerProcess worker(scripted_options());
  const auto loaded = std::get<Loaded>(worker.load({"nothing", "forward"}));
  ASSERT_EQ(loaded.parameters.size(), 1U);
  EXPECT_EQ(loaded.parameters[0].name, "x");
  EXPECT_EQ(loaded.headers, KernelHeaders::shim);
}

TEST(WorkerProcess, IsKilledByAStopDuringARequest) {
  std::stop_source stop;
  WorkerOptions options = scripted_options();
  options.stop = stop.get_token();
  Scripted scripted("hang", options);
  const std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    stop.request_stop();
  });
  EXPECT_THROW((void)scripted.worker.run(), Cancelled);
  EXPECT_THROW((void)scripted.worker.release(), Cancelled);
  while (scripted.worker.alive()) std::this_thread::yield();
}

TEST(WorkerProcess, PassesOnWhyALoadFailed) {
  WorkerProcess worker(scripted_options());
  const auto failed = std::get<Judgement>(worker.load({"nowhere", "forward"}));
  EXPECT_EQ(failed.verdict, Verdict::load_error);
  EXPECT_EQ(failed.reason, "there is no library 'nowhere'");
}

TEST(WorkerProcess, PassesOnAnExceptionEscapedAndLivesOn) {
  Scripted scripted("throw", scripted_options(), 2);
  const auto failed = std::get<Judgement>(scripted.worker.run());
  EXPECT_EQ(failed.verdict, Verdict::exception);
  EXPECT_EQ(failed.reason, R"(the kernel threw: kernel says \x1b[31mno)");
  EXPECT_TRUE(scripted.worker.alive());
}

TEST(WorkerProcess, CallsBadAllocOutOfMemory) {
  Scripted scripted("no memory");
  EXPECT_EQ(std::get<Judgement>(scripted.worker.run()).verdict, Verdict::out_of_memory);
}

TEST(WorkerProcess, IsolatesTheSurroundingsOfItsWorker) {
  setenv("RKB_TEST_SECRET", "1", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  const int inheritable = dup(STDERR_FILENO);
  Scripted scripted("surroundings");
  const Outcome<Ran> ran = scripted.worker.run();
  close(inheritable);
  unsetenv("RKB_TEST_SECRET");
  unsetenv("OMP_WAIT_POLICY");
  if (const auto* end = std::get_if<Judgement>(&ran)) FAIL() << end->reason;
}

TEST(WorkerProcess, SaysWhichProgramCannotBeStarted) {
  WorkerOptions options = scripted_options();
  options.program = "/nowhere/rkb_worker";
  try {
    WorkerProcess worker(options);
    FAIL() << "it started";
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot start /nowhere/rkb_worker: the sandbox: exec "
                                        "/nowhere/rkb_worker: No such file"));
  }
}

TEST(WorkerProcess, RemovesItsDirectory) {
  std::string directory;
  {
    WorkerProcess worker(scripted_options());
    const std::string link = "/proc/" + std::to_string(worker.pid()) + "/cwd";
    std::array<char, 256> path{};
    ASSERT_GT(readlink(link.c_str(), path.data(), path.size() - 1), 0);
    directory = path.data();
    EXPECT_EQ(access(directory.c_str(), F_OK), 0);
  }
  EXPECT_NE(access(directory.c_str(), F_OK), 0) << directory;
}

TEST(WorkerProcess, DistinguishesParkedFromSleepingThreads) {
  Scripted idle("idle thread");
  Scripted sleeping("sleeping thread");
  EXPECT_TRUE(threads_parked(idle.worker.pid()));
  std::get<Ran>(idle.worker.run());
  std::get<Ran>(sleeping.worker.run());
  EXPECT_EQ(idle.worker.thread_count(), 2);
  EXPECT_EQ(sleeping.worker.thread_count(), 2);
  idle.worker.settle(std::chrono::seconds{20});
  EXPECT_TRUE(threads_parked(idle.worker.pid()));
  sleeping.worker.settle(std::chrono::milliseconds{20});
  EXPECT_FALSE(threads_parked(sleeping.worker.pid()));
}

}  // namespace
}  // namespace robust_kbench
