#include "tensor/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tensor/comparison_message.hpp"
#include "tensor/mismatches.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/stack.h>

namespace robust_kbench {
namespace {

// The tolerances of torch.testing.assert_close, except for float32.
Tolerance usual_tolerance(at::ScalarType dtype) {
  constexpr const char* of_torch = "that of torch.testing.assert_close for the dtype";
  switch (dtype) {
    case at::kFloat:
      return {};
    case at::kDouble:
      return {.atol = 1e-7, .rtol = 1e-7, .reason = of_torch};
    case at::kHalf:
      return {.atol = 1e-5, .rtol = 1e-3, .reason = of_torch};
    case at::kBFloat16:
      return {.atol = 1e-5, .rtol = 1.6e-2, .reason = of_torch};
    default:
      return {.atol = 0, .rtol = 0, .reason = "integers are exact"};
  }
}

// All integers and bool as int64, 16-bit floating numbers as float32.
at::Tensor widened(const at::Tensor& output) {
  if (!output.is_floating_point()) return output.to(at::kLong);
  return output.element_size() == 2 ? output.to(at::kFloat) : output;
}

// The same, and all floating numbers as float64.
at::Tensor widened_reference(const at::Tensor& reference) {
  return reference.to(reference.is_floating_point() ? at::kDouble : at::kLong);
}

// Independent running maxima: a maximum over doubles may not be reordered, so one alone would be a
// chain of dependent instructions.
constexpr std::int64_t lanes = 8;

struct Scan {
  bool equal = true;
  double max_abs = 0;
  double max_rel = 0;
};

// One element: whether it matches, and its differences where both values are finite.
struct Difference {
  bool matches;
  double abs;
  double rel;
};

inline Difference difference(std::int64_t actual, std::int64_t expected, double atol, double rtol) {
  const double magnitude = std::abs(static_cast<double>(expected));
  const double distance = distance_of(actual, expected);
  return {.matches = distance <= atol + rtol * magnitude,
          .abs = distance,
          .rel = magnitude > 0 ? distance / magnitude : 0.0};
}

[[gnu::always_inline]] inline Difference difference(double actual, double expected, double atol,
                                                    double rtol) {
  constexpr double greatest = std::numeric_limits<double>::max();
  const double magnitude = std::abs(expected);
  const double distance = std::abs(actual - expected);
  const bool close = distance <= atol + rtol * magnitude && magnitude <= greatest;
  const bool same = actual == expected || (actual != actual && expected != expected);
  const double abs = distance <= greatest ? distance : 0.0;  // false for NaN too
  return {.matches = static_cast<bool>(static_cast<int>(close) | static_cast<int>(same)),
          .abs = abs,
          .rel = magnitude > 0 ? abs / magnitude : 0.0};
}

template <typename Actual, typename Expected>
[[gnu::always_inline]] inline Scan scan_loop(const Actual* actual, const Expected* expected,
                                             std::int64_t count, const Tolerance& tolerance) {
  const double atol = tolerance.atol;
  const double rtol = tolerance.rtol;
  std::array<double, lanes> max_abs{};
  std::array<double, lanes> max_rel{};
  std::array<std::int64_t, lanes> mismatches{};
  const std::int64_t whole = count / lanes * lanes;
  for (std::int64_t i = 0; i < whole; i += lanes) {
    for (std::int64_t j = 0; j < lanes; ++j) {
      const Difference d = difference(actual[i + j], expected[i + j], atol, rtol);
      max_abs[j] = d.abs > max_abs[j] ? d.abs : max_abs[j];
      max_rel[j] = d.rel > max_rel[j] ? d.rel : max_rel[j];
      mismatches[j] += d.matches ? 0 : 1;
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    const Difference d = difference(actual[i], expected[i], atol, rtol);
    max_abs[0] = std::max(max_abs[0], d.abs);
    max_rel[0] = std::max(max_rel[0], d.rel);
    mismatches[0] += d.matches ? 0 : 1;
  }
  return {.equal = std::all_of(mismatches.begin(), mismatches.end(),
                               [](std::int64_t n) { return n == 0; }),
          .max_abs = *std::max_element(max_abs.begin(), max_abs.end()),
          .max_rel = *std::max_element(max_rel.begin(), max_rel.end())};
}

[[gnu::target("avx2")]] Scan scan_avx2(const float* actual, const double* expected,
                                       std::int64_t count, const Tolerance& tolerance) {
  return scan_loop(actual, expected, count, tolerance);
}

// Compares widened tensors.
Scan scan(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance) {
  const std::int64_t count = expected.numel();
  if (!expected.is_floating_point()) {
    return scan_loop(actual.const_data_ptr<std::int64_t>(), expected.const_data_ptr<std::int64_t>(),
                     count, tolerance);
  }
  const double* e = expected.const_data_ptr<double>();
  if (actual.scalar_type() == at::kDouble) {
    return scan_loop(actual.const_data_ptr<double>(), e, count, tolerance);
  }
  const float* a = actual.const_data_ptr<float>();
  return __builtin_cpu_supports("avx2") ? scan_avx2(a, e, count, tolerance)
                                        : scan_loop(a, e, count, tolerance);
}

// Elements of a GPU's tensors that are compared at once, with temporaries of 32 MB each. The
// operators on fewer take longer to launch than to run.
constexpr std::int64_t piece = std::int64_t{1} << 22;

// Three numbers for one piece. The first is how far the worst element exceeds its relative
// tolerance. The others are the greatest absolute and relative difference. They are not finite
// where a value is not.
at::Tensor finite_worst(const at::Tensor& actual, const at::Tensor& expected,
                        const Tolerance& tolerance) {
  const at::Tensor distance = expected.is_floating_point()
                                  ? expected.sub(actual).abs_()
                                  : expected.sub(actual).to(at::kDouble).abs_();
  const at::Tensor magnitude = expected.to(at::kDouble).abs();
  const at::Tensor beyond = distance.sub(magnitude, tolerance.rtol).max();
  const at::Tensor max_abs = distance.max();
  const at::Tensor rel = distance.div_(magnitude).masked_fill_(magnitude.eq(0), 0.0);
  return at::stack({beyond, max_abs, rel.max()});
}

// The same for any values, with non-finite ones treated as scan_loop() does. The first number is 1
// where any element does not match.
at::Tensor worst(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance) {
  const at::Tensor a = actual.to(at::kDouble);
  const at::Tensor e = expected.to(at::kDouble);
  const at::Tensor magnitude = e.abs();
  const at::Tensor distance = a.sub(e).abs_();
  const at::Tensor close =
      distance.le(magnitude.mul(tolerance.rtol).add_(tolerance.atol)).logical_and_(e.isfinite());
  const at::Tensor same = a.eq(e).logical_or_(a.isnan().logical_and_(e.isnan()));
  const at::Tensor abs = distance.masked_fill(distance.isfinite().logical_not_(), 0.0);
  const at::Tensor rel = abs.div(magnitude).masked_fill_(magnitude.gt(0).logical_not_(), 0.0);
  const at::Tensor wrong = close.logical_or(same).logical_not_().any();
  return at::stack({wrong.to(at::kDouble), abs.max(), rel.max()});
}

// The maximum of each of the three numbers over all pieces, on the host.
template <typename OfPiece>
std::array<double, 3> greatest(const at::Tensor& actual, const at::Tensor& expected,
                               const Tolerance& tolerance, OfPiece of_piece) {
  const at::Tensor flat_actual = actual.flatten();
  const at::Tensor flat_expected = expected.flatten();
  std::vector<at::Tensor> found;
  for (std::int64_t first = 0; first < expected.numel(); first += piece) {
    const std::int64_t count = std::min(piece, expected.numel() - first);
    found.push_back(of_piece(flat_actual.narrow(0, first, count),
                             flat_expected.narrow(0, first, count), tolerance));
  }
  const at::Tensor most = at::stack(found).amax(0).cpu();
  const double* numbers = most.const_data_ptr<double>();
  return {numbers[0], numbers[1], numbers[2]};
}

// The same as scan(), on the device of the tensors. For nearly all kernels the values are finite,
// and then this needs half the passes over memory.
Scan scan_on_gpu(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance) {
  if (expected.numel() == 0) return {};
  const auto [beyond, max_abs, max_rel] = greatest(actual, expected, tolerance, finite_worst);
  if (std::isfinite(max_abs)) {
    return {.equal = beyond <= tolerance.atol, .max_abs = max_abs, .max_rel = max_rel};
  }
  const auto [wrong, finite_abs, finite_rel] = greatest(actual, expected, tolerance, worst);
  return {.equal = wrong == 0, .max_abs = finite_abs, .max_rel = finite_rel};
}

}  // namespace

Tolerance tolerance_of(const Output& output) {
  return output.tolerance ? *output.tolerance : usual_tolerance(output.dtype);
}

Comparison compare(const Output& output, const at::Tensor& actual, const at::Tensor& expected) {
  std::string mismatch = attribute_mismatch(output, actual, expected);
  if (!mismatch.empty()) return {.equal = false, .message = std::move(mismatch)};
  const Tolerance tolerance = tolerance_of(output);
  const auto compare_values = [&]() -> Comparison {
    const at::Tensor a = widened(actual);
    const at::Tensor e = widened_reference(expected.contiguous());
    const Scan result = e.is_cpu() ? scan(a, e, tolerance) : scan_on_gpu(a, e, tolerance);
    return {.equal = result.equal,
            .max_abs = result.max_abs,
            .max_rel = result.max_rel,
            .message = result.equal ? "" : value_mismatch(output.name, a, e, tolerance)};
  };
  return expected.is_cpu() ? compare_values() : with_gpu_memory(compare_values);
}

}  // namespace robust_kbench
