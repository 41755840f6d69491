#include "check/detect/unwritten_output.hpp"

#include "calls_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class UnwrittenOutput : public CallsFixture {
 protected:
  [[nodiscard]] std::string found() const {
    const auto finding = unwritten_output(m_filled.evidence(m_calls));
    return finding ? finding->reason : "";
  }
};

TEST_F(UnwrittenOutput, IsOfTheCallThatLeftIt) {
  for (const std::int64_t count : {1, 2, 3, 1000}) {
    m_calls.clear();
    add_call(count, count);
    add_call(count, count);
    EXPECT_EQ(found(), "") << count;
    add_call(count, 0);
    EXPECT_THAT(found(), HasSubstr("call 2 of 3 left output 0 unwritten")) << count;
  }
}

TEST_F(UnwrittenOutput, MayBeOnlyItsEnd) {
  add_call(1001, 1000);
  EXPECT_THAT(found(), HasSubstr("call 0 of 1"));
}

TEST_F(UnwrittenOutput, IsNotLookedForWhereTheKernelWasNotGivenMemory) {
  add_call(16, 0);
  auto& tensor = std::get<TensorRef>(m_calls[0].outputs[0]);
  tensor.offset += 4;  // so it ends beyond the allocation
  EXPECT_EQ(found(), "");
  tensor.offset = ~std::uint64_t{0} - 16;
  EXPECT_EQ(found(), "");
  m_calls[0].outputs[0] = None{};
  EXPECT_EQ(found(), "");
}

// Between the rows of a tensor there may be memory that is never written.
TEST_F(UnwrittenOutput, IsNotLookedForWhereThereAreGaps) {
  add_call(16, 0);
  std::get<TensorRef>(m_calls[0].outputs[0]) = {
      .offset = std::get<TensorRef>(m_calls[0].outputs[0]).offset, .sizes = {8}, .strides = {2}};
  EXPECT_EQ(found(), "");
}

}  // namespace
}  // namespace robust_kbench
