#include "check/content_cache.hpp"

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "adding_task.hpp"
#include "device/gpu_memory_wait.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class Cache : public testing::Test {
 protected:
  // Gets the content of a seed, and counts how often it is made.
  std::shared_ptr<const Content> get(ContentCache& cache, std::uint64_t seed) {
    return cache.get(std::to_string(seed), [&] {
      ++m_made;
      return make_content({m_task, Direction::forward, m_task.defaults}, seed);
    });
  }

  const Task m_task = adding_task();
  std::atomic<int> m_made = 0;
};

TEST_F(Cache, MakesEachContentOnce) {
  ContentCache cache(1 << 20);
  const auto first = get(cache, 1);
  EXPECT_NE(get(cache, 2), first);
  EXPECT_EQ(get(cache, 1), first);
  EXPECT_EQ(m_made, 2);
}

TEST_F(Cache, MakesItOnceForAllThreads) {
  ContentCache cache(1 << 20);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { get(cache, 1); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(m_made, 1);
}

// A content has x and w of float32, and y of float64: 80 + 20 + 160 bytes.
TEST_F(Cache, ForgetsWhatWasNotAskedForLongest) {
  ContentCache cache(600);
  get(cache, 1);
  get(cache, 2);
  get(cache, 1);
  get(cache, 3);
  get(cache, 1);
  EXPECT_EQ(m_made, 3);
  get(cache, 2);
  EXPECT_EQ(m_made, 4);
}

TEST_F(Cache, ForgetsEverythingWhenItIsCleared) {
  ContentCache cache(1 << 20);
  const auto kept_by_its_user = get(cache, 1);
  EXPECT_GE(cache.bytes(), 260U);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0U);
  EXPECT_EQ(kept_by_its_user->tensors["x"].size(0), 4);
  EXPECT_NE(get(cache, 1), kept_by_its_user);
  EXPECT_EQ(m_made, 2);
}

// The other thread may have made the content without waiting for memory.
TEST_F(Cache, TriesItselfWhereAnotherHadNoMemory) {
  ContentCache cache(1 << 20);
  std::promise<void> begun;
  std::promise<void> go_on;
  std::thread other([&] {
    EXPECT_THROW(cache.get("1",
                           [&]() -> Content {
                             begun.set_value();
                             go_on.get_future().wait();
                             throw OutOfGpuMemory("no memory");
                           }),
                 OutOfGpuMemory);
  });
  begun.get_future().wait();
  std::future<std::shared_ptr<const Content>> content =
      std::async(std::launch::async, [&] { return get(cache, 1); });
  EXPECT_EQ(content.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  go_on.set_value();
  EXPECT_NE(content.get(), nullptr);
  EXPECT_EQ(m_made, 1);
  other.join();
}

TEST_F(Cache, TriesAgainAfterAFailure) {
  ContentCache cache(1 << 20);
  EXPECT_THROW(cache.get("1", []() -> Content { throw std::runtime_error("no memory"); }),
               std::runtime_error);
  get(cache, 1);
  EXPECT_EQ(m_made, 1);
}

}  // namespace
}  // namespace robust_kbench
