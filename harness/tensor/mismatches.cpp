#include "tensor/mismatches.hpp"

#include <algorithm>
#include <cmath>

#include "tensor/distance.hpp"

#include <ATen/ops/full_like.h>
#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

constexpr double without_size = 0;

template <typename Actual, typename Expected>
Mismatches find_in(const Actual* actual, const Expected* expected, std::int64_t count,
                   const PrecisionLimits& limits) {
  Mismatches found;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto a = static_cast<double>(actual[i]);
    const auto e = static_cast<double>(expected[i]);
    const double distance = distance_of(actual[i], expected[i]);
    if (distance - limits.rtol * std::abs(e) <= limits.atol) continue;
    if (std::isfinite(distance)) {
      found.absolute.add(1, i, distance);
      if (e != 0) found.relative.add(1, i, distance / std::abs(e));
    } else if (std::isnan(a) != std::isnan(e)) {
      (std::isnan(a) ? found.nan : found.missing_nan).add(1, i, without_size);
    } else if (a != e && !std::isnan(e)) {
      (std::isinf(a) ? found.infinity : found.missing_infinity).add(1, i, without_size);
    }
  }
  return found;
}

Mismatches find_on_cpu(const at::Tensor& actual, const at::Tensor& expected,
                       const PrecisionLimits& limits) {
  const std::int64_t count = expected.numel();
  switch (actual.scalar_type()) {
    case at::kDouble:
      return find_in(actual.const_data_ptr<double>(), expected.const_data_ptr<double>(), count,
                     limits);
    case at::kFloat:
      return find_in(actual.const_data_ptr<float>(), expected.const_data_ptr<double>(), count,
                     limits);
    default:
      return find_in(actual.const_data_ptr<std::int64_t>(), expected.const_data_ptr<std::int64_t>(),
                     count, limits);
  }
}

// The number of elements that a GPU counts at once. Operators on fewer take longer to launch than
// to run.
constexpr std::int64_t counted_at_once = std::int64_t{1} << 22;

// Adds the mismatches of a piece that begins at element `first`: `which` elements differ, by
// `sizes`.
void add(Mismatch& mismatch, std::int64_t first, const at::Tensor& which, const at::Tensor& sizes) {
  const auto count = which.sum().item<std::int64_t>();
  if (count == 0) return;
  const auto [greatest, place] = at::where(which, sizes, -1.0).max(0);  // the first of equal ones
  mismatch.add(count, first + place.item<std::int64_t>(), greatest.item<double>());
}

void add_places(Mismatch& mismatch, std::int64_t first, const at::Tensor& which) {
  add(mismatch, first, which, at::full_like(which, without_size, at::kDouble));
}

void add_piece(Mismatches& found, std::int64_t first, const at::Tensor& actual,
               const at::Tensor& expected, const PrecisionLimits& limits) {
  const at::Tensor magnitude = expected.to(at::kDouble).abs();
  const at::Tensor distance = actual.sub(expected).to(at::kDouble).abs_();
  const at::Tensor finite = distance.isfinite();
  const at::Tensor beyond =
      distance.sub(magnitude, limits.rtol).gt(limits.atol).logical_and_(finite);
  add(found.absolute, first, beyond, distance);
  add(found.relative, first, beyond.logical_and(expected.ne(0)), distance.div(magnitude));
  if (finite.all().item<bool>()) return;

  const at::Tensor is_nan = actual.isnan();
  const at::Tensor should_be_nan = expected.isnan();
  const at::Tensor numbers = is_nan.logical_or(should_be_nan).logical_not_();
  const at::Tensor is_infinite = actual.isinf();
  add_places(found.nan, first, is_nan.logical_and(should_be_nan.logical_not()));
  add_places(found.missing_nan, first, should_be_nan.logical_and(is_nan.logical_not()));
  add_places(found.infinity, first,
             is_infinite.logical_and(actual.ne(expected)).logical_and_(numbers));
  add_places(found.missing_infinity, first,
             expected.isinf().logical_and_(is_infinite.logical_not()).logical_and_(numbers));
}

Mismatches find_on_gpu(const at::Tensor& actual, const at::Tensor& expected,
                       const PrecisionLimits& limits) {
  Mismatches found;
  const at::Tensor flat_actual = actual.view({-1});
  const at::Tensor flat_expected = expected.view({-1});
  for (std::int64_t first = 0; first < expected.numel(); first += counted_at_once) {
    const std::int64_t count = std::min(counted_at_once, expected.numel() - first);
    add_piece(found, first, flat_actual.narrow(0, first, count),
              flat_expected.narrow(0, first, count), limits);
  }
  return found;
}

}  // namespace

void Mismatch::add(std::int64_t more, std::int64_t at, double greatest) {
  count += more;
  if (greatest <= size) return;
  size = greatest;
  place = at;
}

std::int64_t Mismatches::count() const {
  return absolute.count + nan.count + missing_nan.count + infinity.count + missing_infinity.count;
}

Mismatches find_mismatches(const at::Tensor& actual, const at::Tensor& expected,
                           const PrecisionLimits& limits) {
  return expected.is_cpu() ? find_on_cpu(actual, expected, limits)
                           : find_on_gpu(actual, expected, limits);
}

}  // namespace robust_kbench
