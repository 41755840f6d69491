#include "ipc/arena.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/gpu_facts.hpp"
#include "device/gpu_lock.hpp"
#include "runner/allocate.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t poison = poison_word(0x1234567);

Arena arena_with_kernel_region(std::size_t bytes) {
  Arena arena = Arena::create(bytes);
  ArenaHeader& header = arena.header();
  header.kernel_begin = header.cursor = header.poisoned_until = align_up(arena.inputs_begin());
  header.poison = poison;
  return arena;
}

std::size_t offset_in(const Arena& arena, const void* memory) {
  return static_cast<std::size_t>(static_cast<const std::byte*>(memory) - arena.data());
}

TEST(Arena, IsSharedByBothSides) {
  const Arena ours = Arena::create(1 << 20);
  const Arena theirs = Arena::attach(dup(ours.fd()));
  ASSERT_EQ(theirs.size(), ours.size());
  ours.data()[ours.size() - 1] = std::byte{42};
  EXPECT_EQ(theirs.data()[ours.size() - 1], std::byte{42});
}

TEST(Arena, CannotBeShrunkUnderTheBroker) {
  const Arena arena = Arena::create(1 << 20);
  EXPECT_NE(ftruncate(arena.fd(), 0), 0);
}

TEST(Arena, DiscardGivesPagesBack) {
  Arena arena = Arena::create(std::size_t{4} << 20);
  std::byte& written = arena.data()[arena.size() / 2];
  struct stat status {};
  written = std::byte{1};
  fstat(arena.fd(), &status);
  const auto before = status.st_blocks;
  arena.discard();
  fstat(arena.fd(), &status);
  EXPECT_LT(status.st_blocks, before);
  EXPECT_EQ(written, std::byte{0});
  EXPECT_EQ(arena.header().size, arena.size());
}

TEST(Arena, PoisonIsNoResultOfArithmetic) {
  std::array<float, 2> singles{};
  double twice = 0;
  std::memcpy(singles.data(), &poison, sizeof(poison));
  std::memcpy(&twice, &poison, sizeof(twice));
  EXPECT_TRUE(std::isnan(singles[0]));
  EXPECT_GT(std::abs(twice), 1e300);
  volatile float sum = singles[0];
  sum = sum + 1.0F;
  const float read = sum;
  EXPECT_NE(std::memcmp(&read, singles.data(), sizeof(read)), 0);
}

TEST(Arena, FindsTheFirstByteThatIsNotPoison) {
  const Arena arena = Arena::create(1 << 20);
  const std::size_t begin = arena.inputs_begin();
  const std::size_t end = begin + 4096;
  arena.poison(begin, end, poison);
  EXPECT_EQ(arena.first_unpoisoned(begin, end, poison), end);
  EXPECT_EQ(arena.first_unpoisoned(begin + 3, end - 5, poison), end - 5);
  for (const std::size_t offset : {0UL, 1UL, 7UL, 8UL, 1001UL, 4095UL}) {
    std::byte& byte = arena.data()[begin + offset];
    byte ^= std::byte{1};
    EXPECT_EQ(arena.first_unpoisoned(begin, end, poison), begin + offset);
    EXPECT_EQ(arena.first_unpoisoned(begin + offset, end, poison), begin + offset);
    EXPECT_EQ(arena.first_unpoisoned(begin + offset + 1, end, poison), end);
    byte ^= std::byte{1};
  }
}

bool is_mapped(const std::byte* memory) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): start of the page
  void* begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(memory) / page * page);
  return mincore(begin, 1, &resident) == 0;
}

TEST(Arena, KeepsUsedMemoryAtItsOldAddress) {
  constexpr std::size_t bytes = 10'000;
  Arena arena = arena_with_kernel_region(2 << 20);
  auto* kept = static_cast<std::byte*>(arena_allocate(arena, bytes));
  kept[bytes - 1] = std::byte{42};
  arena.keep_of_kernel({{.offset = offset_in(arena, kept), .bytes = bytes}});
  EXPECT_FALSE(arena.offset_of(kept, bytes));
  EXPECT_EQ(kept[bytes - 1], std::byte{42});
  arena.forget_kept([&](std::span<const std::byte> memory) {
    return kept >= memory.data() && kept < memory.data() + memory.size();
  });
  EXPECT_EQ(kept[bytes - 1], std::byte{42});
  arena.forget_kept([](std::span<const std::byte>) { return false; });
  EXPECT_FALSE(is_mapped(kept));
}

TEST(Arena, OnAGpuFreesKeptMemoryOfEarlierBatches) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  constexpr std::size_t bytes = std::size_t{256} << 20;
  constexpr Allocation half{.offset = bytes / 2, .bytes = bytes / 2};
  const GpuLock alone(GpuLock::Use::exclusive);
  const Arena ours = Arena::create_on_gpu(bytes);
  Arena theirs = Arena::attach(dup(ours.fd()), dup(ours.gpu_fd()));
  const std::size_t before = free_gpu_memory();
  for (int batch = 0; batch < 10; ++batch) {
    theirs.forget_kept([](std::span<const std::byte>) { return false; });
    theirs.keep_of_kernel({half});
  }
  EXPECT_GT(free_gpu_memory() + bytes, before);
}

TEST(ArenaAllocate, AlignsAndLogsWithGuardsAndPoison) {
  Arena arena = arena_with_kernel_region(2 << 20);
  const std::size_t first = offset_in(arena, arena_allocate(arena, 5));
  const std::size_t second = offset_in(arena, arena_allocate(arena, 0));
  EXPECT_EQ(first % arena_alignment, 0U);
  EXPECT_EQ(second % arena_alignment, 0U);
  EXPECT_GE(second, first + 5 + guard_bytes);
  ASSERT_EQ(arena.header().allocation_count, 2U);
  EXPECT_EQ(arena.log()[0].offset, first);
  EXPECT_EQ(arena.log()[0].bytes, 5U);
  const std::size_t until = arena.header().poisoned_until;
  EXPECT_GE(until, arena.header().cursor + poison_ahead_bytes - guard_bytes);
  EXPECT_EQ(arena.first_unpoisoned(first, until, poison), until);
}

TEST(ArenaAllocate, RefusesSizesThatDoNotFit) {
  Arena arena = arena_with_kernel_region(2 << 20);
  EXPECT_EQ(arena_allocate(arena, arena.size()), nullptr);
  EXPECT_EQ(arena_allocate(arena, ~std::size_t{0}), nullptr);
  EXPECT_NE(arena_allocate(arena, 64), nullptr);
  std::size_t given = 0;
  while (arena_allocate(arena, 1 << 10) != nullptr) ++given;
  EXPECT_LT(given, std::size_t{2 << 10});
}

}  // namespace
}  // namespace robust_kbench
