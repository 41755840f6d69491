#include <cmath>
#include <kernel/robust_kbench_abi.h>

#include "kernel_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A call with an input of two rows, and two out-arguments.
class OutArguments : public KernelTest {
 protected:
  Call call_on(std::vector<std::int64_t> sizes) {
    return {{m_memory.counting(sizes),
             {OutputTensor{.sizes = std::move(sizes), .dtype = RKB_FLOAT32}},
             {OutputTensor{.sizes = {}, .dtype = RKB_INT64}}}};
  }

  std::vector<ResultValue> results(const std::string& entry) {
    return call("out_arguments", entry, call_on({2, 3}).arguments);
  }

  [[nodiscard]] static std::uint64_t offset_of(const ResultValue& result) {
    return std::get<TensorRef>(result).offset;
  }
};

TEST_F(OutArguments, AreTheResultsOfTheCall) {
  const auto written = results("writes");
  ASSERT_EQ(written.size(), 2U);
  const Output y = m_memory.read(written[0]);
  EXPECT_THAT(y.sizes, ElementsAre(2, 3));
  EXPECT_THAT(y.strides, ElementsAre(3, 1));
  EXPECT_THAT(y.values, ElementsAre(1, 2, 3, 4, 5, 6));
  const Output count = m_memory.read(written[1]);
  EXPECT_EQ(count.dtype, RKB_INT64);
  EXPECT_THAT(count.values, ElementsAre(6));
}

TEST_F(OutArguments, AreAllocatedLikeTheKernelsOwnTensors) {
  const auto unwritten = results("writes_nothing");
  ASSERT_EQ(unwritten.size(), 2U);
  for (const double value : m_memory.read(unwritten[0]).values) EXPECT_TRUE(std::isnan(value));
  const ArenaHeader& header = m_arena.header();
  ASSERT_EQ(header.allocation_count, 2U);
  EXPECT_EQ(m_arena.log()[0].offset, offset_of(unwritten[0]));
  EXPECT_EQ(m_arena.log()[0].bytes, 24U);
  EXPECT_GE(offset_of(unwritten[1]), offset_of(unwritten[0]) + 24 + guard_bytes);
}

TEST_F(OutArguments, PrecedeReturnedValues) {
  const auto several = results("returns_one");
  ASSERT_EQ(several.size(), 3U);
  EXPECT_EQ(offset_of(several[2]), offset_of(several[0]));
  EXPECT_EQ(results("looks").size(), 4U);
}

TEST_F(OutArguments, AreFreshInEachCallOfABatch) {
  load("out_arguments", "writes");
  m_subject.prepare({call_on({2, 3}), call_on({2, 3})});
  m_subject.call(0);
  m_subject.call(1);
  const auto of_calls = m_subject.collect();
  ASSERT_EQ(of_calls.size(), 2U);
  EXPECT_NE(offset_of(of_calls[0][0]), offset_of(of_calls[1][0]));
  EXPECT_THAT(m_memory.read(of_calls[0][0]).values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(m_subject.outputs(1).size(), 2U);
}

TEST_F(OutArguments, AreMadeAgainIfACallIsRepeated) {
  load("out_arguments", "writes");
  m_subject.prepare({call_on({2, 3})});
  m_subject.call(0);
  EXPECT_TRUE(m_subject.drop_results(0));
  m_subject.call(0);
  const auto results = m_subject.collect().at(0);
  EXPECT_THAT(m_memory.read(results.at(0)).values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(m_arena.header().allocation_count, 4U);
}

TEST_F(OutArguments, NeedRoom) {
  const Call large{{m_memory.counting({1}),
                    {OutputTensor{.sizes = {1 << 30}, .dtype = RKB_FLOAT32}},
                    {OutputTensor{.sizes = {}, .dtype = RKB_INT64}}}};
  const SubjectError error = failure("out_arguments", "writes", large.arguments);
  EXPECT_EQ(error.failure(), Failure::out_of_memory);
  EXPECT_THAT(error.what(), HasSubstr("no room for an output of 4294967296 bytes"));
}

}  // namespace
}  // namespace robust_kbench
