#include "tensor/host_differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tensor/distance.hpp"

namespace robust_kbench {
namespace {

// The number of independent running maxima and sums. Operations on doubles may not be reordered, so
// a single maximum or sum would be a chain of dependent instructions.
constexpr std::int64_t lanes = 8;

struct Difference {
  double beyond;
  double abs;  // these three are 0 where a value is not finite
  double rel;
  double reference;
};

inline Difference difference(std::int64_t actual, std::int64_t expected, double rtol) {
  const double magnitude = std::abs(static_cast<double>(expected));
  const double distance = distance_of(actual, expected);
  return {.beyond = distance - rtol * magnitude,
          .abs = distance,
          .rel = magnitude > 0 ? distance / magnitude : 0.0,
          .reference = magnitude};
}

[[gnu::always_inline]] inline Difference difference(double actual, double expected, double rtol) {
  const double magnitude = std::abs(expected);
  const double distance = std::abs(actual - expected);
  const bool finite = distance <= std::numeric_limits<double>::max();  // false for NaN too
  const bool same = static_cast<bool>(static_cast<int>(actual == expected) |
                                      static_cast<int>(actual != actual && expected != expected));
  const double abs = finite ? distance : 0.0;
  const double not_finite = same ? -infinite : infinite;
  return {.beyond = finite ? distance - rtol * magnitude : not_finite,
          .abs = abs,
          .rel = magnitude > 0 ? abs / magnitude : 0.0,
          .reference = finite ? magnitude : 0.0};
}

struct Lanes {
  std::array<double, lanes> beyond;
  std::array<double, lanes> max_abs{};
  std::array<double, lanes> max_rel{};
  std::array<double, lanes> errors{};
  std::array<double, lanes> references{};

  Lanes() { beyond.fill(-infinite); }

  [[gnu::always_inline]] void add(std::int64_t j, const Difference& d) {
    beyond[j] = d.beyond > beyond[j] ? d.beyond : beyond[j];
    max_abs[j] = d.abs > max_abs[j] ? d.abs : max_abs[j];
    max_rel[j] = d.rel > max_rel[j] ? d.rel : max_rel[j];
    errors[j] += d.abs * d.abs;
    references[j] += d.reference * d.reference;
  }
};

template <typename Actual, typename Expected>
[[gnu::always_inline]] inline Differences loop(const Actual* actual, const Expected* expected,
                                               std::int64_t count, double rtol) {
  Lanes found;
  const std::int64_t whole = count / lanes * lanes;
  for (std::int64_t i = 0; i < whole; i += lanes) {
    for (std::int64_t j = 0; j < lanes; ++j) {
      found.add(j, difference(actual[i + j], expected[i + j], rtol));
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    found.add(0, difference(actual[i], expected[i], rtol));
  }
  const auto most = [](const auto& of_lanes) {
    return *std::max_element(of_lanes.begin(), of_lanes.end());
  };
  Differences all{.beyond = most(found.beyond),
                  .max_abs = most(found.max_abs),
                  .max_rel = most(found.max_rel),
                  .squares = {.elements = count}};
  for (std::int64_t j = 0; j < lanes; ++j) {
    all.squares.errors += found.errors[j];
    all.squares.references += found.references[j];
  }
  return all;
}

template <typename Actual>
[[gnu::target("avx2")]] Differences loop_avx2(const Actual* actual, const double* expected,
                                              std::int64_t count, double rtol) {
  return loop(actual, expected, count, rtol);
}

template <typename Actual>
Differences of_floats(const Actual* actual, const double* expected, std::int64_t count,
                      double rtol) {
  return __builtin_cpu_supports("avx2") ? loop_avx2(actual, expected, count, rtol)
                                        : loop(actual, expected, count, rtol);
}

}  // namespace

Differences differences(const float* actual, const double* expected, std::int64_t count,
                        double rtol) {
  return of_floats(actual, expected, count, rtol);
}

Differences differences(const double* actual, const double* expected, std::int64_t count,
                        double rtol) {
  return of_floats(actual, expected, count, rtol);
}

Differences differences(const std::int64_t* actual, const std::int64_t* expected,
                        std::int64_t count, double rtol) {
  return loop(actual, expected, count, rtol);
}

}  // namespace robust_kbench
