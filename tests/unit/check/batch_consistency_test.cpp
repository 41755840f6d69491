#include "check/detect/batch_consistency.hpp"

#include "filled_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class BatchConsistency : public testing::Test {
 protected:
  BatchConsistency() {
    for (int i = 0; i < 3; ++i) m_calls.push_back({.outputs = {fresh(), fresh()}});
  }

  TensorRef fresh() {
    return {.offset = m_filled.allocate(24), .sizes = {2, 3}, .strides = {3, 1}};
  }

  TensorRef& output(std::size_t call, std::size_t i) {
    return std::get<TensorRef>(m_calls[call].outputs[i]);
  }

  [[nodiscard]] std::string found(std::size_t kept = 2) const {
    BatchEvidence evidence = m_filled.evidence(m_calls);
    evidence.kept = kept;
    const auto finding = batch_consistency(evidence);
    return finding ? finding->reason : "";
  }

  FilledArena m_filled;
  std::vector<CallResult> m_calls;
};

TEST_F(BatchConsistency, HoldsWhereEachReturnsMemoryOfItsOwn) {
  EXPECT_EQ(found(), "");
  for (auto& call : m_calls) call.outputs[1] = None{};
  EXPECT_EQ(found(), "");
  // A call may return several views of one of its own tensors.
  for (auto& call : m_calls) call.outputs[1] = call.outputs[0];
  EXPECT_EQ(found(), "");
}

TEST_F(BatchConsistency, IsBrokenByOtherShapes) {
  output(1, 0).strides = {1, 2};
  EXPECT_THAT(found(), HasSubstr("call 1 of the batch returned other shapes than call 2"));
  m_calls[1].outputs[0] = None{};
  EXPECT_THAT(found(), HasSubstr("call 1"));
  m_calls[1].outputs.clear();
  EXPECT_THAT(found(), HasSubstr("call 1"));
}

TEST_F(BatchConsistency, IsBrokenByMemoryThatWasNotGiven) {
  output(1, 0).offset = m_filled.x().offset;
  EXPECT_THAT(found(), HasSubstr("call 1 of the batch returned memory of another kind"));
}

TEST_F(BatchConsistency, IsBrokenByAnotherCallsOutputs) {
  output(2, 1).offset = output(0, 0).offset;
  EXPECT_THAT(found(), HasSubstr("call 2 of the batch returned memory of the outputs of call 0"));
}

}  // namespace
}  // namespace robust_kbench
