#include "check/placement.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "adding_task.hpp"
#include "core/error.hpp"
#include "tensor/generator.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t poison = poison_word(99);

std::vector<Tensors> some_calls(std::size_t count, std::int64_t rows = 4) {
  Task task = adding_task();
  task.defaults = {{"rows", rows}};
  std::vector<Tensors> calls;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    calls.push_back(make_tensors({task, Direction::forward, task.defaults}, seed));
  }
  return calls;
}

const Params placed_params{{"rows", std::int64_t{4}}, {"eps", 0.5}, {"flag", true}};

Placement placed(const Arena& arena, const std::vector<Argument>& arguments, std::uint64_t layout,
                 const std::vector<Tensors>& calls) {
  Task task;
  task.forward_contract.arguments = [&](const Params&) { return arguments; };
  return place(arena, {task, Direction::forward, placed_params}, calls, CipherStream(layout));
}

const std::vector<Argument> both{tensor("x"), tensor("w")};

TEST(Place, GivesEveryTensorItsAlignedPlaceBetweenGuards) {
  const Arena arena = Arena::create(8 << 20);
  const Placement placement = placed(arena, both, 1, some_calls(20));
  ASSERT_EQ(placement.tensors.size(), 40U);
  std::uint64_t end = arena.inputs_begin();
  for (const PlacedTensor& tensor : placement.tensors) {
    EXPECT_EQ(tensor.offset % arena_alignment, 0U);
    EXPECT_GE(tensor.offset, end + guard_bytes);
    end = tensor.end();
  }
  EXPECT_GE(placement.kernel_begin, end + guard_bytes);
}

TEST(Place, DrawsAddressesFromItsKey) {
  const Arena arena = Arena::create(8 << 20);
  const auto calls = some_calls(1);
  const auto offset = [&](std::uint64_t layout) {
    return placed(arena, both, layout, calls).tensors.at(1).offset;
  };
  EXPECT_EQ(offset(1), offset(1));
  std::set<std::uint64_t> offsets;
  for (std::uint64_t layout = 1; layout <= 20; ++layout) offsets.insert(offset(layout));
  EXPECT_GT(offsets.size(), 10U);
}

TEST(Place, DrawsTheOrderOfCallsInMemory) {
  const Arena arena = Arena::create(8 << 20);
  const auto calls = some_calls(6);
  std::set<std::vector<std::size_t>> orders;
  for (std::uint64_t layout = 1; layout <= 20; ++layout) {
    const Placement placement = placed(arena, {tensor("x")}, layout, calls);
    std::vector<std::size_t> order;
    for (const PlacedTensor& placed_tensor : placement.tensors) {
      order.push_back(placed_tensor.call);
      const auto& told =
          std::get<TensorRef>(placement.calls.at(placed_tensor.call).arguments.at(0).value);
      EXPECT_EQ(told.offset, placed_tensor.offset);
      EXPECT_EQ(placed_tensor.pristine.const_data_ptr(),
                calls.at(placed_tensor.call)["x"].const_data_ptr());
    }
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  }
  EXPECT_GT(orders.size(), 15U);
}

TEST(Place, TellsEveryKindOfArgument) {
  const Arena arena = Arena::create(8 << 20);
  std::vector<Tensors> calls = some_calls(1);
  calls[0].set("bias", at::Tensor());
  const Placement placement =
      placed(arena,
             {tensor("x"), tensor_tuple({"w", "bias"}), parameter("eps"), parameter("rows"),
              parameter("flag"), integer_list({2, 3}), tensor("x")},
             1, calls);
  const std::vector<ArgumentValue>& arguments = placement.calls.at(0).arguments;
  ASSERT_EQ(arguments.size(), 7U);
  const auto& x = std::get<TensorRef>(arguments[0].value);
  EXPECT_EQ(x.sizes, (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(x.strides, (std::vector<std::int64_t>{5, 1}));
  const auto& tuple = std::get<ArgumentTuple>(arguments[1].value);
  EXPECT_TRUE(std::holds_alternative<TensorRef>(tuple.at(0).value));
  EXPECT_TRUE(std::holds_alternative<None>(tuple.at(1).value));
  EXPECT_EQ(std::get<double>(arguments[2].value), 0.5);
  EXPECT_EQ(std::get<std::int64_t>(arguments[3].value), 4);
  EXPECT_EQ(std::get<bool>(arguments[4].value), true);
  EXPECT_EQ(std::get<IntegerList>(arguments[5].value), (IntegerList{2, 3}));
  EXPECT_EQ(std::get<TensorRef>(arguments[6].value).offset, x.offset);
}

TEST(Place, LetsOutputsFollowTheArguments) {
  const Arena arena = Arena::create(8 << 20);
  Task task;
  task.forward_contract.arguments = [](const Params&) { return both; };
  task.forward_contract.outputs = {{"y"}, {"index", {}, at::kInt}};
  task.forward_contract.out_arguments = [](const Params& given) {
    return std::vector<std::vector<std::int64_t>>{{given.integer("rows"), 2}, {}};
  };
  const Placement placement =
      place(arena, {task, Direction::forward, placed_params}, some_calls(2), CipherStream(1));
  EXPECT_EQ(placement.tensors.size(), 4U);
  const std::vector<ArgumentValue>& arguments = placement.calls.at(1).arguments;
  ASSERT_EQ(arguments.size(), 4U);
  const auto& y = std::get<OutputTensor>(arguments[2].value);
  EXPECT_EQ(y.sizes, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(y.dtype, static_cast<int>(at::kFloat));
  EXPECT_TRUE(std::get<OutputTensor>(arguments[3].value).sizes.empty());
  EXPECT_EQ(std::get<OutputTensor>(arguments[3].value).dtype, static_cast<int>(at::kInt));
}

TEST(Place, RefusesAnArenaThatIsTooSmall) {
  const Arena arena = Arena::create(0);
  EXPECT_THROW(placed(arena, both, 1, some_calls(100)), HarnessError);
}

class Placed : public testing::TestWithParam<std::int64_t> {};

TEST_P(Placed, HasItsInputsAndPoisonElsewhere) {
  Arena arena = Arena::create(32 << 20);
  const Placement placement = placed(arena, both, 1, some_calls(3, GetParam()));
  poison_around(arena, placement, poison, 1000);
  write_inputs(arena, placement);
  const ArenaHeader& header = arena.header();
  EXPECT_EQ(header.cursor, placement.kernel_begin);
  EXPECT_EQ(header.allocation_count, 0U);
  EXPECT_GE(header.poisoned_until, placement.kernel_begin + 1000 + poison_ahead_bytes);
  std::uint64_t next = placement.begin;
  for (const PlacedTensor& tensor : placement.tensors) {
    EXPECT_EQ(arena.first_unpoisoned(next, tensor.offset, poison), tensor.offset);
    EXPECT_EQ(
        std::memcmp(arena.data() + tensor.offset, tensor.pristine.const_data_ptr(), tensor.bytes),
        0);
    next = tensor.end();
  }
  EXPECT_EQ(arena.first_unpoisoned(next, header.poisoned_until, poison), header.poisoned_until);
}

// An input has 80 bytes or 600,020. The latter ends within a word.
INSTANTIATE_TEST_SUITE_P(SmallAndLarge, Placed, testing::Values(4, 30'001));

}  // namespace
}  // namespace robust_kbench
