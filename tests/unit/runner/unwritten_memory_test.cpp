#include "runner/unwritten_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The allocator itself uses the first bytes of a free block.
constexpr std::size_t floats_of_allocator = 4;

bool spoils(float value) {
  return std::isnan(value) || std::abs(value) > 1e20F;
}

double spoiling_part(const std::vector<float>& values) {
  const auto count = std::count_if(values.begin(), values.end(), spoils);
  return static_cast<double>(count) / static_cast<double>(values.size());
}

// Reading unwritten memory is undefined in C++, so the compiler must not know that it is unwritten.
std::vector<float> content_of(const float* memory, std::size_t count) {
  asm volatile("" : : "r"(memory) : "memory");
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = memory[i];
  return values;
}

std::vector<float> content_of_fresh_block(std::size_t floats) {
  auto* block = static_cast<float*>(std::malloc(floats * sizeof(float)));
  std::vector<float> content = content_of(block, floats);
  std::free(block);
  content.erase(content.begin(), content.begin() + floats_of_allocator);
  return content;
}

[[gnu::noinline]] std::vector<float> content_of_fresh_array() {
  std::array<float, 4096> array;
  return content_of(array.data(), array.size());
}

class UnwrittenMemory : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer has an allocator and a layout of stacks of its own";
#endif
  }
};

TEST_F(UnwrittenMemory, FillsTheNextBlocksOfMalloc) {
  keep_freed_heap();
  for (const std::size_t floats : {16UL, 100UL, 250UL, 1000UL, 40'000UL, 400'000UL}) {
    fill_free_heap(floats);
    EXPECT_GT(spoiling_part(content_of_fresh_block(floats)), 0.9) << floats;
  }
}

TEST_F(UnwrittenMemory, FillsTheStackBelowTheCaller) {
  fill_stack(1);
  EXPECT_GT(spoiling_part(content_of_fresh_array()), 0.9);
}

TEST_F(UnwrittenMemory, DiffersFromKeyToKey) {
  keep_freed_heap();
  fill_free_heap(1);
  const std::vector<float> first = content_of_fresh_block(200);
  fill_free_heap(2);
  const std::vector<float> second = content_of_fresh_block(200);
  int same = 0;
  for (std::size_t i = 0; i < first.size(); ++i) same += first[i] == second[i] ? 1 : 0;
  EXPECT_LT(same, 10);
}

}  // namespace
}  // namespace robust_kbench
