#include "kernel_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class KernelResults : public KernelTest {
 protected:
  std::vector<ResultValue> results(const std::string& entry) {
    return call("results", entry, {m_memory.counting({2, 3})});
  }
};

TEST_F(KernelResults, AreOneOrSeveralTensors) {
  EXPECT_EQ(results("one").size(), 1U);
  EXPECT_EQ(results("three").size(), 3U);
  EXPECT_EQ(results("array").size(), 2U);
  const auto several = results("several");
  ASSERT_EQ(several.size(), 2U);
  const Output transposed = m_memory.read(several[1]);
  EXPECT_THAT(transposed.sizes, ElementsAre(3, 2));
  EXPECT_THAT(transposed.strides, ElementsAre(1, 3));
  EXPECT_THAT(transposed.values, ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST_F(KernelResults, AReturnedInputKeepsItsOffset) {
  const ArgumentValue x = m_memory.counting({2, 3});
  const auto results = call("results", "one", {x});
  EXPECT_EQ(std::get<TensorRef>(results[0]).offset, std::get<TensorRef>(x.value).offset);
}

TEST_F(KernelResults, TuplesMixTensorsNumbersAndNone) {
  EXPECT_EQ(std::get<double>(results("pair").at(1)), 2.5);
  const auto tuple = results("made_tuple");
  ASSERT_EQ(tuple.size(), 5U);
  EXPECT_TRUE(std::holds_alternative<TensorRef>(tuple[0]));
  EXPECT_EQ(std::get<std::int64_t>(tuple[1]), 3);
  EXPECT_EQ(std::get<double>(tuple[2]), 1.5);
  EXPECT_TRUE(std::get<bool>(tuple[3]));
  EXPECT_TRUE(std::holds_alternative<None>(tuple[4]));
  EXPECT_TRUE(std::holds_alternative<TensorRef>(results("object").at(0)));
}

TEST_F(KernelResults, AnUndefinedTensorIsNone) {
  EXPECT_TRUE(std::holds_alternative<None>(results("nothing").at(0)));
  EXPECT_TRUE(std::holds_alternative<None>(results("undefined").at(0)));
}

TEST_F(KernelResults, AVoidFunctionReturnsNone) {
  const auto none = results("no_result");
  ASSERT_EQ(none.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<None>(none[0]));
}

TEST_F(KernelResults, TooManyAreAnError) {
  const ArgumentValue x = m_memory.counting({1});
  EXPECT_THAT(failure("results", "too_many", {x}).what(), HasSubstr("more than 64 values"));
}

TEST_F(KernelResults, EachCallOfABatchHasItsOwnResults) {
  load("results", "one");
  m_subject.prepare({Call{{m_memory.counting({1})}}, Call{{m_memory.counting({2})}}});
  m_subject.call(0);
  m_subject.call(1);
  const auto outputs = m_subject.collect();
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_THAT(m_memory.read(outputs[0].at(0)).sizes, ElementsAre(1));
  EXPECT_THAT(m_memory.read(outputs[1].at(0)).sizes, ElementsAre(2));
  m_subject.release();
  EXPECT_TRUE(m_subject.collect().empty());
}

}  // namespace
}  // namespace robust_kbench
