#include "worker/input_copies.hpp"

#include <array>
#include <cstring>
#include <unistd.h>

#include "device/cuda_driver.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t copied_bytes = 100;

class InputCopiesTest : public testing::Test {
 protected:
  InputCopiesTest() {
    for (std::size_t i = 0; i < copied_bytes; ++i) at_offset()[i] = static_cast<std::byte>(i);
  }

  [[nodiscard]] std::byte* at_offset() const { return m_arena.data() + offset(); }
  [[nodiscard]] std::uint64_t offset() const { return m_arena.inputs_begin(); }
  [[nodiscard]] std::byte* copy(InputPlace place, std::size_t element_bytes = 4) {
    return m_copies.add(m_arena, offset(), copied_bytes, element_bytes, place);
  }
  [[nodiscard]] bool is_right(const std::byte* copy) const {
    return std::memcmp(copy, at_offset(), copied_bytes) == 0;
  }

  // Whether the operating system can read the byte.
  static bool is_mapped(const std::byte* address) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    const bool readable = write(ends[1], address, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return readable;
  }

  Arena m_arena = Arena::create(std::size_t{1} << 20);
  InputCopies m_copies;
};

std::uintptr_t number(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

TEST_F(InputCopiesTest, EndAtAnUnmappedPageAndAreAligned) {
  const std::byte* at_end = copy({.before_unmapped = 1});
  EXPECT_TRUE(is_right(at_end));
  EXPECT_EQ(number(at_end) % arena_alignment, 0U);
  EXPECT_TRUE(is_mapped(at_end + align_up(copied_bytes) - 1));
  EXPECT_FALSE(is_mapped(at_end + align_up(copied_bytes)));
}

TEST_F(InputCopiesTest, BeginPastAPagesBeginningByWholeElements) {
  const std::byte* shifted = copy({.shift = 4});
  EXPECT_TRUE(is_right(shifted));
  EXPECT_EQ(number(shifted) % 4096, 4U);
  EXPECT_EQ(number(copy({.shift = 4}, 8)) % 4096, 8U);
}

TEST_F(InputCopiesTest, StayAsLongAsTheyAreUsed) {
  const std::byte* used = copy({.before_unmapped = 1});
  const std::byte* unused = copy({.before_unmapped = 1});
  m_copies.forget([&](std::span<const std::byte> pages) {
    return used >= pages.data() && used < pages.data() + pages.size();
  });
  EXPECT_TRUE(is_right(used));
  EXPECT_FALSE(is_mapped(unused));
}

// The driver refuses to copy from addresses that nothing is mapped at, without harm to the context.
TEST(InputCopiesOnAGpu, EndAtUnmappedAddressesAndAreAligned) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  const Arena arena = Arena::create_on_gpu(std::size_t{1} << 20);
  const CudaDriver& driver = cuda_driver();
  const std::uint64_t written = 0x0123456789abcdef;
  arena.write(512, &written, sizeof(written));
  arena.synchronize();
  const auto read = [&](const std::byte* from, std::uint64_t& to) {
    return driver.copy(CudaDriver::address_of(&to), CudaDriver::address_of(from), sizeof(to)) == 0;
  };
  InputCopies copies;
  std::uint64_t seen = 0;
  const std::byte* at_end = copies.add(arena, 512, copied_bytes, 4, {.before_unmapped = 1});
  EXPECT_EQ(number(at_end) % gpu_arena_alignment, 0U);
  EXPECT_TRUE(read(at_end, seen));
  EXPECT_EQ(seen, written);
  EXPECT_TRUE(read(at_end + gpu_arena_alignment - sizeof(seen), seen));
  EXPECT_FALSE(read(at_end + gpu_arena_alignment, seen));
  const std::byte* shifted = copies.add(arena, 512, copied_bytes, 4, {.shift = 4});
  EXPECT_EQ(number(shifted) % gpu_arena_alignment, 4U);
  EXPECT_TRUE(read(shifted, seen));
  EXPECT_EQ(seen, written);
  copies.forget([](std::span<const std::byte>) { return false; });
  EXPECT_FALSE(read(at_end, seen));
}

}  // namespace
}  // namespace robust_kbench
