#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <kernel/robust_kbench_abi.h>
#include <numeric>
#include <vector>

#include "kernel_fixture.hpp"
#include "worker/tensor.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::Not;
using testing::UnorderedElementsAre;

using Sizes = std::vector<std::int64_t>;

class Shim : public KernelTest {};

// A kernel has tensors of its call alone, and could follow pointers in them to later calls.
TEST(WorkerTensor, HoldsNoAddressOfAnother) {
  std::array<std::byte, 64> storage{};
  const std::array<std::int64_t, 1> sizes{4};
  const std::array<std::int64_t, 1> strides{1};
  std::vector<TensorReference> tensors;
  for (int i = 0; i < 3; ++i) {
    tensors.emplace_back(make_tensor(storage.data(), {.sizes = sizes, .strides = strides}));
  }
  for (const TensorReference& tensor : tensors) {
    std::array<std::uintptr_t, sizeof(WorkerTensor) / sizeof(std::uintptr_t)> words{};
    std::memcpy(words.data(), static_cast<const WorkerTensor*>(tensor.get()), sizeof(words));
    for (const TensorReference& other : tensors) {
      EXPECT_THAT(words, Not(Contains(reinterpret_cast<std::uintptr_t>(other.get()))));
    }
  }
  tensors.erase(tensors.begin());
  EXPECT_THAT(live_tensors(), UnorderedElementsAre(tensors[0].get(), tensors[1].get()));
}

TEST_F(Shim, ShapesChangeWithoutACopy) {
  const ArgumentValue x = m_memory.counting({2, 3, 4});
  const auto outputs = call_tensors("views", "shapes", {x});
  const std::vector<Sizes> expected{{6, 4},    {24},      {4, 6},       {24},
                                    {2, 12},   {6, 4},    {1, 2, 3, 4}, {2, 3, 4, 1},
                                    {2, 3, 4}, {2, 3, 4}, {2, 3, 4},    {24}};
  ASSERT_EQ(outputs.size(), expected.size());
  std::vector<double> counted(24);
  std::iota(counted.begin(), counted.end(), 0.0);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(outputs[i].sizes, expected[i]) << i;
    EXPECT_THAT(outputs[i].values, ElementsAreArray(counted)) << i;
  }
  EXPECT_EQ(m_memory.arena().header().allocation_count, 0U);
}

TEST_F(Shim, PermutesDimensions) {
  const auto outputs = call_tensors("views", "orders", {m_memory.counting({2, 3, 4})});
  ASSERT_EQ(outputs.size(), 6U);
  EXPECT_EQ(outputs[0].sizes, Sizes({4, 3, 2}));
  EXPECT_EQ(outputs[0].strides, Sizes({1, 4, 12}));
  EXPECT_EQ(outputs[1].sizes, Sizes({4, 2, 3}));
  EXPECT_THAT(outputs[2].values, ElementsAre(12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23));
  EXPECT_EQ(outputs[3].strides, Sizes({12, 1, 4}));
  EXPECT_EQ(outputs[4].strides, Sizes({4, 1}));
  EXPECT_THAT(std::vector(outputs[4].values.begin(), outputs[4].values.begin() + 8),
              ElementsAre(0, 1, 2, 3, 12, 13, 14, 15));
  EXPECT_EQ(outputs[5].strides, Sizes({12, 3, 1}));
  EXPECT_EQ(m_memory.arena().header().allocation_count, 2U);
}

TEST_F(Shim, SlicesAreViews) {
  const auto outputs = call_tensors("views", "parts", {m_memory.counting({2, 3, 4})});
  ASSERT_EQ(outputs.size(), 7U);
  EXPECT_EQ(outputs[0].sizes, Sizes({3, 4}));
  EXPECT_EQ(outputs[0].values.front(), 12);
  EXPECT_THAT(outputs[1].values, ElementsAre(2, 6, 10, 14, 18, 22));
  EXPECT_EQ(outputs[2].sizes, Sizes({2, 2, 4}));
  EXPECT_EQ(outputs[2].values.front(), 4);
  EXPECT_EQ(outputs[3].sizes, Sizes({2, 3, 2}));
  EXPECT_EQ(outputs[3].values[1], 3);
  EXPECT_EQ(outputs[4].sizes, Sizes({2, 2, 4}));
  EXPECT_EQ(outputs[5].strides, Sizes({0, 4, 1}));
  EXPECT_EQ(outputs[5].values.size(), 60U);
  EXPECT_THAT(outputs[6].values, ElementsAre(1, 9, 17));
}

TEST_F(Shim, MakesTensors) {
  const auto outputs = call_tensors("factories", "made", {m_memory.counting({2, 3})});
  ASSERT_EQ(outputs.size(), 12U);
  EXPECT_THAT(outputs[0].values, Each(7));
  EXPECT_THAT(outputs[1].values, Each(0));
  EXPECT_EQ(outputs[1].sizes, Sizes({2, 3}));
  EXPECT_EQ(outputs[3].dtype, RKB_INT64);
  EXPECT_THAT(outputs[3].values, ElementsAre(1, 1, 1));
  EXPECT_EQ(outputs[4].dtype, RKB_FLOAT64);
  EXPECT_THAT(outputs[4].values, Each(1.5));
  EXPECT_THAT(outputs[6].values, Each(1));
  EXPECT_THAT(outputs[7].values, Each(3));
  EXPECT_EQ(outputs[9].sizes, Sizes({1, 2}));
  EXPECT_THAT(outputs[10].values, ElementsAre(1, 2));
  EXPECT_EQ(outputs[11].sizes, Sizes());
  EXPECT_EQ(outputs[11].dtype, RKB_BOOL);
}

TEST_F(Shim, KeepsTheLayoutOfDenseTensors) {
  const auto outputs = call_tensors("factories", "layouts", {m_memory.counting({2, 3, 4})});
  ASSERT_EQ(outputs.size(), 5U);
  EXPECT_EQ(outputs[0].strides, Sizes({4, 12, 1}));
  EXPECT_EQ(outputs[1].strides, Sizes({1, 4, 12}));
  EXPECT_EQ(outputs[2].strides, Sizes({60, 1, 15, 3}));
  EXPECT_EQ(outputs[3].strides, Sizes({1, 4, 12}));
  EXPECT_EQ(outputs[4].strides, Sizes({6, 2, 1}));
  EXPECT_EQ(outputs[3].values, outputs[4].values);
}

TEST_F(Shim, ConvertsBetweenElementTypes) {
  const ArgumentValue x = m_memory.floats({2, 3}, {0.5F, 1.5F, 2.5F, 3.5F, 4.5F, 1000.3F});
  const auto outputs = call_tensors("factories", "converted", {x});
  ASSERT_EQ(outputs.size(), 10U);
  EXPECT_EQ(outputs[0].dtype, RKB_INT32);
  EXPECT_THAT(outputs[0].values, ElementsAre(0, 1, 2, 3, 4, 1000));
  EXPECT_EQ(outputs[1].dtype, RKB_FLOAT16);
  EXPECT_EQ(outputs[1].values[5], 1000.5);
  EXPECT_EQ(outputs[2].dtype, RKB_BFLOAT16);
  EXPECT_EQ(outputs[2].values[5], 1000);
  EXPECT_EQ(outputs[3].dtype, RKB_FLOAT32);
  EXPECT_THAT(outputs[4].values, Each(1));
  EXPECT_EQ(outputs[5].dtype, RKB_UINT8);
  EXPECT_EQ(outputs[6].dtype, RKB_FLOAT64);
  EXPECT_EQ(outputs[6].values[5], 1000.3F);
  EXPECT_THAT(outputs[7].values, ElementsAre(0, 3, 1, 4, 2, 1000));
  EXPECT_EQ(outputs[9].values[4], 4.5);
}

TEST_F(Shim, ReadsElementsAndProperties) {
  const ArgumentValue x = m_memory.counting({2, 3});
  const auto items = call("factories", "items", {x});
  EXPECT_EQ(std::get<double>(items[0]), 1);
  EXPECT_EQ(std::get<double>(items[1]), 41);
  EXPECT_EQ(std::get<double>(items[2]), 42);
  EXPECT_EQ(std::get<double>(items[3]), 5);
  const auto facts = call("factories", "facts", {x});
  const std::vector<std::int64_t> expected{2, 3, 3, 6};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::get<std::int64_t>(facts[i]), expected[i]) << i;
  }
  EXPECT_TRUE(std::get<bool>(facts[4]));
  EXPECT_FALSE(std::get<bool>(facts[5]));
  EXPECT_EQ(std::get<std::int64_t>(facts[6]), 24);
  EXPECT_TRUE(std::get<bool>(facts[8]));
}

TEST_F(Shim, CopiesOutputsOutsideTheArena) {
  const auto outputs = call_tensors("factories", "borrowed_memory", {m_memory.counting({2, 3})});
  EXPECT_THAT(outputs[0].values, ElementsAre(0, 2, 4, 6, 8, 10));
}

TEST_F(Shim, DispatchesOnTheElementType) {
  const auto doubled = call_tensors("dispatch", "twice", {m_memory.counting({3})});
  EXPECT_THAT(doubled[0].values, ElementsAre(0, 2, 4));
  const auto bytes = call("dispatch", "bytes", {m_memory.counting({1})});
  const std::vector<std::int64_t> expected{4, 2, 8, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::get<std::int64_t>(bytes[i]), expected[i]) << i;
  }
}

TEST_F(Shim, ComputesWithHalves) {
  const auto outputs =
      call_tensors("dispatch", "half_arithmetic", {m_memory.floats({3}, {0, 2, -3})});
  // The kernel computes x * x + x - 1, plus x, and takes -x where that is not above x. Then it
  // halves, and adds 2.
  EXPECT_THAT(outputs[0].values, ElementsAre(2, 5.5, 3));
}

TEST_F(Shim, IndexesByAccessor) {
  const auto outputs = call_tensors("dispatch", "transposed", {m_memory.counting({2, 3})});
  EXPECT_THAT(outputs[0].values, ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST_F(Shim, SplitsALoopOverThreadsOnce) {
  const auto outputs = call_tensors("dispatch", "squares", {m_memory.counting({1000})});
  for (std::size_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(outputs[0].values[i], static_cast<double>(i * i));
  }
}

TEST_F(Shim, SupportsEveryHeaderAndNamespace) {
  EXPECT_THAT(call_tensors("headers", "forward", {m_memory.counting({1, 1})})[0].values,
              ElementsAre(0));
}

}  // namespace
}  // namespace robust_kbench
