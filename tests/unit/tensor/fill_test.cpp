#include "tensor/fill.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "core/seed.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using Fill = void (*)(const Distribution&, std::uint64_t, float*, std::int64_t, std::int64_t);

std::vector<float> filled(Fill fill, const Distribution& distribution, std::uint64_t key,
                          std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  fill(distribution, key, values.data(), 0, count);
  return values;
}

std::uint64_t hash_of(const std::vector<float>& values) {
  return hash(std::string_view(reinterpret_cast<const char*>(values.data()),
                               values.size() * sizeof(float)));
}

struct Moments {
  double mean = 0;
  double variance = 0;
  double skewness = 0;
  double kurtosis = 0;
};

Moments moments_of(const std::vector<float>& values) {
  const auto mean_of_power = [&](double shift, int power) {
    double sum = 0;
    for (const float value : values) sum += std::pow(value - shift, power);
    return sum / static_cast<double>(values.size());
  };
  Moments m{.mean = mean_of_power(0, 1)};
  m.variance = mean_of_power(m.mean, 2);
  m.skewness = mean_of_power(m.mean, 3) / std::pow(m.variance, 1.5);
  m.kurtosis = mean_of_power(m.mean, 4) / (m.variance * m.variance);
  return m;
}

// The bits are part of the suite: a case must be the same case on every machine and in every
// release.
TEST(Fill, BitsNeverChange) {
  EXPECT_EQ(hash_of(filled(fill_normal, normal(), 42, 10'000)), 0xeebc590662c8c1d6ULL);
  EXPECT_EQ(hash_of(filled(fill_uniform, uniform(-1, 1), 42, 10'000)), 0x9155c677f908d78aULL);
}

TEST(Fill, PartsOfAStreamAgreeWithTheWhole) {
  constexpr std::int64_t count = 1000;
  for (const Fill fill : {Fill{fill_normal}, Fill{fill_uniform}}) {
    const std::vector<float> whole = filled(fill, {.a = 0, .b = 1}, 7, count);
    for (const std::int64_t part : {1, 7, 128, 255, 256, 257, 500}) {
      std::vector<float> parts(count);
      for (std::int64_t first = 0; first < count; first += part) {
        fill({.a = 0, .b = 1}, 7, parts.data() + first, first, std::min(part, count - first));
      }
      EXPECT_EQ(parts, whole) << "in parts of " << part;
    }
  }
}

TEST(Fill, PartsOfIntegersAgreeWithTheWhole) {
  std::array<std::int64_t, 100> whole{};
  std::array<std::int64_t, 100> parts{};
  fill_integers(integers(0, 1000), 7, whole.data(), 0, 100);
  fill_integers(integers(0, 1000), 7, parts.data(), 0, 33);
  fill_integers(integers(0, 1000), 7, parts.data() + 33, 33, 67);
  EXPECT_EQ(parts, whole);
}

// A million samples put the standard errors of the moments at 1e-3, 1.4e-3, 2.4e-3 and 4.9e-3.
TEST(FillNormal, HasTheMomentsOfANormal) {
  const Moments m = moments_of(filled(fill_normal, normal(), 1, 1'000'000));
  EXPECT_NEAR(m.mean, 0, 0.004);
  EXPECT_NEAR(m.variance, 1, 0.006);
  EXPECT_NEAR(m.skewness, 0, 0.01);
  EXPECT_NEAR(m.kurtosis, 3, 0.02);
}

TEST(FillNormal, TakesMeanAndStandardDeviation) {
  const Moments m = moments_of(filled(fill_normal, normal(3.0, 0.5), 1, 1'000'000));
  EXPECT_NEAR(m.mean, 3, 0.002);
  EXPECT_NEAR(m.variance, 0.25, 0.0015);
}

// Beyond three standard deviations: 0.27 % of a million, give or take 52.
TEST(FillNormal, HasTails) {
  const std::vector<float> values = filled(fill_normal, normal(), 2, 1'000'000);
  EXPECT_NEAR(static_cast<double>(std::count_if(values.begin(), values.end(),
                                                [](float v) { return std::abs(v) > 3; })),
              2700, 250);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float v) { return std::abs(v) < 7; }));
}

TEST(FillNormal, NeighboursAndKeysAreNotCorrelated) {
  constexpr std::int64_t count = 1'000'000;
  const std::vector<float> a = filled(fill_normal, normal(), 1, count + 64);
  const std::vector<float> b = filled(fill_normal, normal(), 2, count + 64);
  double next = 0;
  double pair = 0;  // the two normals that one hash makes
  double other = 0;
  for (std::size_t i = 0; i < count; ++i) {
    next += a[i] * a[i + 1];
    pair += a[i] * a[i + 64];
    other += a[i] * b[i];
  }
  EXPECT_NEAR(next / count, 0, 0.005);
  EXPECT_NEAR(pair / count, 0, 0.005);
  EXPECT_NEAR(other / count, 0, 0.005);
}

TEST(FillUniform, IsFlatAndExcludesItsHighEnd) {
  const std::vector<float> values = filled(fill_uniform, uniform(-2, 3), 1, 1'000'000);
  std::array<int, 10> counts{};
  for (const float value : values) {
    ASSERT_GE(value, -2.0F);
    ASSERT_LT(value, 3.0F);
    ++counts[static_cast<std::size_t>((value + 2.0F) * 2.0F)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 100'000, 1500);
}

// low + span * u would round up to `high` here: no float32 lies between 1 and its neighbour.
TEST(FillUniform, NeverRoundsUpToItsHighEnd) {
  const float high = std::nextafter(1.0F, 2.0F);
  for (const float value : filled(fill_uniform, uniform(1.0, high), 1, 1000))
    EXPECT_EQ(value, 1.0F);
}

TEST(FillIntegers, AreFlatAndExcludeTheirHighEnd) {
  std::vector<std::int64_t> values(100'000);
  fill_integers(integers(-3, 7), 1, values.data(), 0, 100'000);
  std::array<int, 10> counts{};
  for (const std::int64_t value : values) ++counts.at(static_cast<std::size_t>(value + 3));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(FillIntegers, RefusesAnEmptyRange) {
  std::int64_t value = 0;
  EXPECT_THROW(fill_integers(integers(3, 3), 1, &value, 0, 1), UserError);
}

}  // namespace
}  // namespace robust_kbench
