#include <kernel/robust_kbench_abi.h>

#include "kernel_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using Sizes = std::vector<std::int64_t>;

// Tests torch's operators. x is 1, 2, ... 6 in 2 x 3.
class Operators : public WorkerTest {
 protected:
  void SetUp() override { start(false); }

  std::vector<Output> outputs(const std::string& entry) {
    const ArgumentValue x = m_inputs->floats({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto results = call(SHIM_KERNELS "operators.so", entry, {x});
    const ArenaHeader& header = m_worker->arena().header();
    for (const ResultValue& result : results) {
      const auto& ref = std::get<TensorRef>(result);
      // Some results of "images" are views of the input.
      if (entry != "images") EXPECT_GE(ref.offset, header.kernel_begin);
      EXPECT_LT(ref.offset, header.cursor);
    }
    return read(results);
  }
};

TEST_F(Operators, ComputeArithmetic) {
  const auto y = outputs("arithmetic");
  ASSERT_EQ(y.size(), 18U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(1, 4, 9, 16, 25, 36));
  EXPECT_THAT(y[1].values, Each(0));
  EXPECT_THAT(y[2].values, ElementsAre(2.5, 3.5, 4.5, 5.5, 6.5, 7.5));
  EXPECT_THAT(y[3].values, ElementsAre(0.5, 1, 1.5, 2, 2.5, 3));
  EXPECT_THAT(y[4].values, ElementsAre(0, -1, -2, -3, -4, -5));
  EXPECT_EQ(y[5].values[0], 1);
  EXPECT_THAT(y[7].values, ElementsAre(4, 8, 12, 16, 20, 24));
  EXPECT_THAT(y[8].values, ElementsAre(0, 0, 1, 2, 3, 4));
  EXPECT_FLOAT_EQ(static_cast<float>(y[9].values[2]), 0.5F);
  EXPECT_THAT(y[12].values, ElementsAre(1, 2, 3, 3, 3, 3));
  EXPECT_THAT(y[14].values, ElementsAre(5, 9, 13, 17, 21, 25));
  EXPECT_EQ(y[15].dtype, RKB_BOOL);
  EXPECT_THAT(y[17].values, ElementsAre(-1, -2, 3, 4, 5, 6));
}

TEST_F(Operators, Reduce) {
  const auto y = outputs("reductions");
  ASSERT_EQ(y.size(), 12U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(21));
  EXPECT_EQ(y[0].sizes, Sizes());
  EXPECT_THAT(y[1].values, ElementsAre(5, 7, 9));
  EXPECT_EQ(y[2].sizes, Sizes({1, 1}));
  EXPECT_THAT(y[4].values, ElementsAre(2, 5));
  EXPECT_THAT(y[6].values, ElementsAre(3, 6));
  EXPECT_THAT(y[7].values, ElementsAre(2, 2));
  EXPECT_EQ(y[7].dtype, RKB_INT64);
  EXPECT_EQ(y[11].dtype, RKB_FLOAT64);
}

TEST_F(Operators, MultiplyMatrices) {
  const auto y = outputs("matrices");
  ASSERT_EQ(y.size(), 6U) << m_failure.reason;
  for (const std::size_t i : {0U, 1U, 2U, 5U}) {
    EXPECT_THAT(y[i].values, ElementsAre(14, 32, 32, 77)) << i;
  }
  EXPECT_THAT(y[3].values, ElementsAre(15, 33, 33, 78));
  EXPECT_THAT(y[4].values, ElementsAre(15, 33, 33, 78));
}

TEST_F(Operators, WorkOnImagesAndLists) {
  const auto y = outputs("images");
  ASSERT_EQ(y.size(), 10U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(12, 16));
  EXPECT_EQ(y[1].sizes, Sizes({1, 1, 3, 4}));
  EXPECT_THAT(y[2].values, ElementsAre(5));
  EXPECT_THAT(y[3].values, ElementsAre(3, 4));
  EXPECT_EQ(y[5].sizes, Sizes({2, 6}));
  EXPECT_EQ(y[6].sizes, Sizes({2, 2, 3}));
  EXPECT_THAT(y[7].values, ElementsAre(3, 6));
  EXPECT_THAT(y[8].values, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(y[9].dtype, RKB_INT64);
}

TEST_F(Operators, WorkOnTheKernelsOwnTensors) {
  const auto y = outputs("mixed");
  ASSERT_EQ(y.size(), 3U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(2, 3, 4, 5, 6, 7));
  EXPECT_THAT(y[2].values, ElementsAre(2, 8, 4, 10, 6, 12));
  EXPECT_TRUE(std::holds_alternative<Done>(m_worker->release()));
  EXPECT_EQ(m_worker->stop(), 0);
}

TEST_F(Operators, NameTheOperatorThatRefused) {
  outputs("unknown");
  EXPECT_EQ(m_failure.verdict, Verdict::exception);
  EXPECT_THAT(m_failure.reason,
              HasSubstr("aten::mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"));
}

}  // namespace
}  // namespace robust_kbench
