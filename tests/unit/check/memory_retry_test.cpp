#include "check/memory_retry.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using Use = GpuLock::Use;

const CaseRecord passes{.judgement = passed()};
const CaseRecord lacks{.judgement = {.verdict = Verdict::out_of_memory, .reason = "no memory"}};

// Returns the given records, and notes how the GPU was used.
class MemoryRetryTest : public testing::Test {
 protected:
  Verdict run(MemoryRetry& retry, const CaseRecord& beside, const CaseRecord& alone) {
    m_uses.clear();
    return retry
        .run([&](Use use) {
          m_uses.push_back(use);
          return use == Use::shared ? beside : alone;
        })
        .judgement.verdict;
  }
  std::vector<Use> m_uses;
};

TEST_F(MemoryRetryTest, TriesAgainAloneWhereMemoryWasMissing) {
  MemoryRetry retry(true);
  EXPECT_EQ(run(retry, lacks, passes), Verdict::pass);
  EXPECT_THAT(m_uses, ElementsAre(Use::shared, Use::exclusive));
  EXPECT_EQ(run(retry, passes, lacks), Verdict::pass);
  EXPECT_THAT(m_uses, ElementsAre(Use::shared));
}

TEST_F(MemoryRetryTest, GivesUpAfterACaseThatNeedsTooMuchEvenAlone) {
  MemoryRetry retry(true);
  EXPECT_EQ(run(retry, lacks, lacks), Verdict::out_of_memory);
  EXPECT_THAT(m_uses, ElementsAre(Use::shared, Use::exclusive));
  EXPECT_EQ(run(retry, lacks, passes), Verdict::out_of_memory);
  EXPECT_THAT(m_uses, ElementsAre(Use::shared));
}

TEST_F(MemoryRetryTest, TriesAgainAloneWhereTheHarnessLackedMemory) {
  const auto verdict_after = [](const char* error) {
    return MemoryRetry(true)
        .run([&](Use use) {
          if (use == Use::shared) throw HarnessError(error);
          return passes;
        })
        .judgement.verdict;
  };
  EXPECT_EQ(verdict_after("cuMemCreate: CUDA error 2: out of memory"), Verdict::pass);
  EXPECT_THROW(verdict_after("no process could be started"), HarnessError);
}

TEST_F(MemoryRetryTest, TriesAgainOnACpuOnlyWhereTheWorkerWasKilled) {
  const CaseRecord killed{
      .judgement = {.verdict = Verdict::out_of_memory,
                    .reason = "the worker killed by SIGKILL in the middle of a call"}};
  MemoryRetry retry(false);
  EXPECT_EQ(run(retry, lacks, passes), Verdict::out_of_memory);
  EXPECT_THAT(m_uses, ElementsAre(Use::shared));
  EXPECT_EQ(run(retry, killed, passes), Verdict::pass);
  EXPECT_THAT(m_uses, ElementsAre(Use::shared, Use::exclusive));
  EXPECT_EQ(run(retry, killed, killed), Verdict::out_of_memory);
  EXPECT_EQ(run(retry, killed, passes), Verdict::out_of_memory);
  EXPECT_THAT(m_uses, ElementsAre(Use::shared));
}

TEST(LackedGpuMemory, TellsByVerdictOrByWhatCudaSays) {
  const std::string cuda = "the kernel threw: CUDA error 2: out of memory";
  EXPECT_TRUE(lacked_gpu_memory(lacks));
  EXPECT_TRUE(lacked_gpu_memory({.judgement = {.verdict = Verdict::exception, .reason = cuda}}));
  const std::string no_room_for_code = "the kernel threw: CUDA error: unknown error";
  EXPECT_TRUE(lacked_gpu_memory(
      {.judgement = {.verdict = Verdict::exception, .reason = no_room_for_code}}));
  EXPECT_FALSE(
      lacked_gpu_memory({.judgement = {.verdict = Verdict::exception, .reason = "a bad shape"}}));
  EXPECT_FALSE(
      lacked_gpu_memory({.judgement = {.verdict = Verdict::wrong_result, .reason = cuda}}));
  EXPECT_FALSE(lacked_gpu_memory(passes));
}

}  // namespace
}  // namespace robust_kbench
