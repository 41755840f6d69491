#include "check/detect/late_write.hpp"

#include <algorithm>

#include "calls_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class LateWrite : public CallsFixture {
 protected:
  [[nodiscard]] AllocationProbe probe() const { return {m_filled.arena, m_filled.log(), 1}; }
  [[nodiscard]] std::string found(const AllocationProbe& probe) const {
    BatchEvidence evidence = m_filled.evidence(m_calls);
    evidence.probe = probe;
    const auto finding = late_write(evidence);
    return finding ? finding->reason : "";
  }
};

TEST_F(LateWrite, IsFoundWhereAnOutputIsWrittenLater) {
  add_call(1000, 1000);
  add_call(1000, 0);
  add_call(1000, 1000);
  const AllocationProbe before = probe();
  const auto offset = std::get<TensorRef>(m_calls[1].outputs[0]).offset;
  std::fill_n(reinterpret_cast<float*>(m_filled.arena.data() + offset), 1000, 1.0F);
  EXPECT_THAT(found(before), HasSubstr("output 0 of call 1 of 3 was written after"));
}

TEST_F(LateWrite, IsFoundWhereAnOutputIsMadeLater) {
  add_call(10, 10);
  const AllocationProbe before = probe();
  EXPECT_EQ(found(before), "");
  add_call(10, 10);
  EXPECT_THAT(found(before), HasSubstr("output 0 of call 1 of 2 was made after"));
}

TEST_F(LateWrite, IsNotFoundInWhatIsNoOutput) {
  add_call(10, 10);
  const std::uint64_t temporary = m_filled.allocate(4000);
  const AllocationProbe before = probe();
  m_filled.write(temporary);
  m_filled.write(temporary + 3999);
  EXPECT_EQ(found(before), "");
}

TEST_F(LateWrite, IsNotLookedForInMemoryThatTheKernelWasNotGiven) {
  add_call(16, 0);
  const AllocationProbe before = probe();
  auto& tensor = std::get<TensorRef>(m_calls[0].outputs[0]);
  m_filled.write(tensor.offset);
  m_filled.write(tensor.offset + 63);
  tensor.offset += 4;  // so it ends beyond the allocation
  EXPECT_EQ(found(before), "");
  tensor.offset = ~std::uint64_t{0} - 16;
  EXPECT_EQ(found(before), "");
  m_calls[0].outputs[0] = None{};
  EXPECT_EQ(found(before), "");
}

// Between the rows of a tensor there may be memory that is never written.
TEST_F(LateWrite, IsNotLookedForWhereThereAreGaps) {
  add_call(16, 0);
  const AllocationProbe before = probe();
  const std::uint64_t offset = std::get<TensorRef>(m_calls[0].outputs[0]).offset;
  m_filled.write(offset + 4);
  EXPECT_NE(found(before), "");
  std::get<TensorRef>(m_calls[0].outputs[0]) = {.offset = offset, .sizes = {8}, .strides = {2}};
  EXPECT_EQ(found(before), "");
}

}  // namespace
}  // namespace robust_kbench
