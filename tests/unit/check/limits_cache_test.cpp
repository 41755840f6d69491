#include "check/limits_cache.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class LimitsCacheTest : public testing::Test {
 protected:
  OutputLimits get(const std::string& key) {
    return m_cache.get(key, [&] {
      ++m_measured;
      return std::vector<PrecisionLimits>(1);
    });
  }

  LimitsCache m_cache;
  std::atomic<int> m_measured = 0;
};

TEST_F(LimitsCacheTest, AreMeasuredOnceForAllThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { get("a"); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(m_measured, 1);
  EXPECT_NE(get("b"), get("a"));
  EXPECT_EQ(m_measured, 2);
}

TEST_F(LimitsCacheTest, AreMeasuredAgainAfterAFailure) {
  EXPECT_THROW(
      m_cache.get("a",
                  []() -> std::vector<PrecisionLimits> { throw std::runtime_error("no memory"); }),
      std::runtime_error);
  EXPECT_EQ(get("a")->size(), 1U);
}

TEST(ContentKind, IsThatOfConfigAndProbe) {
  Case one{.config = {.name = "single/a", .params = {{"rows", std::int64_t{4}}}}, .seed = 1};
  Case same = one;
  same.seed = 2;
  same.config.name = "multi/a";
  EXPECT_EQ(content_kind(one, 1), content_kind(same, 2));
  Case other = one;
  other.config.params.set("rows", std::int64_t{5});
  EXPECT_NE(content_kind(one, 1), content_kind(other, 1));
  same.probe = Probe::ties;
  EXPECT_EQ(content_kind(same, 1), "ties rows=4");
  EXPECT_EQ(content_kind(same, 2), "ties rows=4");
  same.probe = Probe::weights_scaled;
  EXPECT_EQ(content_kind(same, 1), "weights_scaled odd rows=4");
  EXPECT_EQ(content_kind(same, 2), "weights_scaled even rows=4");
}

}  // namespace
}  // namespace robust_kbench
