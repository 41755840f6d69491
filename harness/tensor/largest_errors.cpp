#include "tensor/largest_errors.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "tensor/shown_number.hpp"

#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

constexpr std::size_t max_examples = 3;
// The number of elements searched at once. Their temporaries take a few hundred megabytes.
constexpr std::int64_t searched_at_once = std::int64_t{1} << 22;

struct Excess {
  double size;         // how far the error is beyond the limits
  std::int64_t place;  // flat index
};

// How far each element is beyond the limits, or infinity if NaN or an infinity is out of place.
at::Tensor excess_of(const at::Tensor& actual, const at::Tensor& expected,
                     const PrecisionLimits& limits) {
  const at::Tensor distance = actual.sub(expected).to(at::kDouble).abs_();
  const at::Tensor beyond =
      distance.sub(expected.to(at::kDouble).abs(), limits.rtol).sub_(limits.atol);
  const at::Tensor alike =
      actual.eq(expected).logical_or_(actual.isnan().logical_and_(expected.isnan()));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return at::where(distance.isfinite(), beyond, infinity).masked_fill_(alike, -infinity);
}

// Merges the greatest excesses of a piece, which begins at element `first`, into those found
// before.
void add_greatest(std::vector<Excess>& greatest, std::int64_t first, at::Tensor excess) {
  for (std::size_t i = 0; i < max_examples; ++i) {
    const auto [size, place] = excess.max(0);  // the first of equal ones
    const Excess found{size.item<double>(), place.item<std::int64_t>()};
    if (!(found.size > 0)) return;
    const auto smaller = std::find_if(greatest.begin(), greatest.end(),
                                      [&](const Excess& e) { return e.size < found.size; });
    greatest.insert(smaller, {found.size, first + found.place});
    if (greatest.size() > max_examples) greatest.pop_back();
    excess.select(0, found.place).fill_(-1.0);
  }
}

std::vector<std::int64_t> index_at(std::int64_t flat, c10::IntArrayRef shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; flat /= shape[d]) index[d] = flat % shape[d];
  return index;
}

}  // namespace

std::vector<Example> largest_errors(const std::string& name, const at::Tensor& actual,
                                    const at::Tensor& expected, const PrecisionLimits& limits) {
  const at::Tensor flat_actual = actual.view({-1});
  const at::Tensor flat_expected = expected.view({-1});
  std::vector<Excess> greatest;
  for (std::int64_t first = 0; first < expected.numel(); first += searched_at_once) {
    const std::int64_t count = std::min(searched_at_once, expected.numel() - first);
    add_greatest(greatest, first,
                 excess_of(flat_actual.narrow(0, first, count),
                           flat_expected.narrow(0, first, count), limits));
  }
  std::vector<Example> examples;
  for (const Excess& excess : greatest) {
    examples.push_back({.output = name,
                        .index = index_at(excess.place, expected.sizes()),
                        .actual = shown_element(flat_actual, excess.place),
                        .expected = shown_element(flat_expected, excess.place)});
  }
  return examples;
}

}  // namespace robust_kbench
