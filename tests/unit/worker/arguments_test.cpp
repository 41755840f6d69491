#include "kernel_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class KernelArguments : public KernelTest {
 protected:
  static ArgumentValue integer(std::int64_t value) { return {value}; }
  static ArgumentValue real(double value) { return {value}; }

  SubjectError refused(const std::string& entry, std::vector<ArgumentValue> arguments) {
    SubjectError error = failure("arguments", entry, std::move(arguments));
    EXPECT_EQ(error.failure(), Failure::load_error);
    return error;
  }
};

TEST_F(KernelArguments, NumbersConvertAsInPython) {
  const auto results = call("arguments", "numbers",
                            {integer(1LL << 40), integer(-2), integer(3), real(0.5), {true}});
  ASSERT_EQ(results.size(), 5U);
  EXPECT_EQ(std::get<std::int64_t>(results[0]), 1LL << 40);
  EXPECT_EQ(std::get<std::int64_t>(results[1]), -2);
  EXPECT_EQ(std::get<double>(results[2]), 3.0);
  EXPECT_EQ(std::get<double>(results[3]), 0.5);
  EXPECT_TRUE(std::get<bool>(results[4]));
}

TEST_F(KernelArguments, AnIntegerIsNeitherAFractionNorTooLarge) {
  refused("numbers", {integer(1), real(2.0), integer(3), real(0.5), {true}});
  refused("numbers", {integer(1), integer(1LL << 32), integer(3), real(0.5), {true}});
}

TEST_F(KernelArguments, OptionalTensorsTakeNone) {
  const auto given = call_tensors("arguments", "optionals",
                                  {m_memory.counting({2}), {None{}}, m_memory.counting({3})});
  EXPECT_THAT(given[0].values, ElementsAre(0, 1));
  EXPECT_THAT(given[1].values, ElementsAre(1));
  EXPECT_THAT(given[2].values, ElementsAre(0, 1, 2));
  const auto absent = call_tensors("arguments", "optionals", {});
  EXPECT_THAT(absent[0].values, ElementsAre(0));
  EXPECT_THAT(absent[2].values, ElementsAre(2));
}

TEST_F(KernelArguments, ListsComeFromListsAndTuples) {
  const auto results =
      call("arguments", "lists",
           {{IntegerList{1, 2}}, {ArgumentTuple{integer(3)}}, {IntegerList{4, 5}}});
  ASSERT_EQ(results.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(std::get<std::int64_t>(results[i]), static_cast<std::int64_t>(i) + 1);
  }
  refused("lists", {{IntegerList{}}, {IntegerList{}}, {IntegerList{1, 2, 3}}});
  refused("lists", {{IntegerList{}}, {ArgumentTuple{real(1.5)}}, {IntegerList{1, 2}}});
}

TEST_F(KernelArguments, CppTuplesAndPairsComeFromListsOfTheirLength) {
  const ArgumentValue stride{IntegerList{1, 2}};
  const ArgumentValue mixed{ArgumentTuple{real(3), {true}}};
  const auto results = call("arguments", "sequences", {stride, mixed, {IntegerList{4, 5}}});
  ASSERT_EQ(results.size(), 6U);
  const std::vector<double> expected{1, 2, 3, 1, 4, 5};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(std::get<double>(results[i]), expected[i]);
  refused("sequences", {{IntegerList{1}}, mixed, stride});
  refused("sequences", {{IntegerList{1, 2, 3}}, mixed, stride});
  refused("sequences", {{ArgumentTuple{real(0.5), integer(1)}}, mixed, stride});
}

TEST_F(KernelArguments, TuplesMayHoldValuesOfAnyKind) {
  const ArgumentValue x = m_memory.counting({2});
  const auto outputs = call_tensors(
      "arguments", "tuples",
      {{ArgumentTuple{x, real(10), integer(3)}}, {ArgumentTuple{x}}, {ArgumentTuple{x, x}}});
  EXPECT_THAT(outputs[0].values, ElementsAre(3, 15));
}

TEST_F(KernelArguments, AWrongCastInsideTheKernelIsAnException) {
  const SubjectError error = failure("arguments", "wrong_tuple", {{ArgumentTuple{integer(3)}}});
  EXPECT_EQ(error.failure(), Failure::exception);
  EXPECT_STREQ(error.what(), "Unable to cast Python instance to C++ type 'Tensor'");
}

TEST_F(KernelArguments, DefaultsReplaceMissingArguments) {
  const auto results = call("arguments", "defaults", {m_memory.counting({2})});
  EXPECT_EQ(std::get<double>(results[0]), 1e-5);
  EXPECT_EQ(std::get<std::int64_t>(results[1]), 3);
  EXPECT_THAT(m_memory.read(results[2]).values, ElementsAre(0, 1));
  const auto given =
      call("arguments", "defaults", {m_memory.counting({2}), {None{}}, real(0.25), integer(7)});
  EXPECT_EQ(std::get<double>(given[0]), 0.25);
  EXPECT_EQ(std::get<std::int64_t>(given[1]), 7);
}

TEST_F(KernelArguments, AWrongCallHasPybindsErrorMessage) {
  const std::string message = refused("defaults", {real(1)}).what();
  EXPECT_EQ(message,
            "defaults(): incompatible function arguments. The following argument types are "
            "supported:\n    1. (x: Tensor, bias: Tensor = ..., eps: float = ..., n: int = ...)\n\n"
            "Invoked with: float");
  EXPECT_THAT(refused("defaults", {}).what(), HasSubstr("incompatible function arguments"));
  const ArgumentValue x = m_memory.counting({1});
  refused("defaults", {x, x, real(1), integer(1), integer(1)});
  refused("defaults", {{None{}}});
}

TEST_F(KernelArguments, AnOverloadIsChosenByTheNumberOfArguments) {
  const ArgumentValue x = m_memory.counting({1});
  const ArgumentValue y = m_memory.counting({2});
  EXPECT_THAT(call_tensors("arguments", "overloaded", {x})[0].sizes, ElementsAre(1));
  EXPECT_THAT(call_tensors("arguments", "overloaded", {x, y})[0].sizes, ElementsAre(2));
}

TEST_F(KernelArguments, ALambdaMayBeRegistered) {
  EXPECT_THAT(call_tensors("arguments", "lambda", {m_memory.counting({2, 3})})[0].sizes,
              ElementsAre(3, 2));
}

}  // namespace
}  // namespace robust_kbench
