#include "tensor/differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <ATen/ops/full_like.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

Differences on_cpu(const at::Tensor& actual, const at::Tensor& expected, double rtol) {
  const std::int64_t count = expected.numel();
  if (!expected.is_floating_point()) {
    return differences(actual.const_data_ptr<std::int64_t>(),
                       expected.const_data_ptr<std::int64_t>(), count, rtol);
  }
  const auto* reference = expected.const_data_ptr<double>();
  return actual.scalar_type() == at::kDouble
             ? differences(actual.const_data_ptr<double>(), reference, count, rtol)
             : differences(actual.const_data_ptr<float>(), reference, count, rtol);
}

// The number of a GPU's elements that are compared at once, with temporaries of 32 MB each.
// Operators on fewer take longer to launch than to run.
constexpr std::int64_t piece = std::int64_t{1} << 22;

// In order: beyond, max_abs, max_rel, and the square roots of both sums of squares.
using Numbers = std::array<double, 5>;

// Computes the numbers of a piece whose values are all finite. Otherwise max_abs is not finite.
at::Tensor of_finite(const at::Tensor& actual, const at::Tensor& expected, double rtol) {
  const at::Tensor distance = expected.is_floating_point()
                                  ? expected.sub(actual).abs_()
                                  : expected.sub(actual).to(at::kDouble).abs_();
  const at::Tensor magnitude = expected.to(at::kDouble).abs();
  const at::Tensor beyond = distance.sub(magnitude, rtol).max();
  const at::Tensor max_abs = distance.max();
  const at::Tensor errors = at::linalg_vector_norm(distance);
  const at::Tensor rel = distance.div_(magnitude).nan_to_num_(/*nan=*/0, /*posinf=*/0);
  return at::stack({beyond, max_abs, rel.max(), errors, at::linalg_vector_norm(magnitude)});
}

// Computes the numbers of any piece, and treats values that are not finite as loop() does.
at::Tensor of_any(const at::Tensor& actual, const at::Tensor& expected, double rtol) {
  const at::Tensor a = actual.to(at::kDouble);
  const at::Tensor e = expected.to(at::kDouble);
  const at::Tensor raw = a.sub(e).abs_();
  const at::Tensor finite = raw.isfinite();
  const at::Tensor same = a.eq(e).logical_or_(a.isnan().logical_and_(e.isnan()));
  const at::Tensor distance = at::where(finite, raw, 0.0);
  const at::Tensor magnitude = at::where(finite, e.abs(), 0.0);
  const at::Tensor not_finite = at::full_like(raw, infinite).masked_fill_(same, -infinite);
  const at::Tensor beyond = at::where(finite, distance.sub(magnitude, rtol), not_finite);
  const at::Tensor rel = distance.div(magnitude).masked_fill_(magnitude.gt(0).logical_not_(), 0.0);
  return at::stack({beyond.max(), distance.max(), rel.max(), at::linalg_vector_norm(distance),
                    at::linalg_vector_norm(magnitude)});
}

template <typename OfPiece>
Differences of_pieces(const at::Tensor& actual, const at::Tensor& expected, double rtol,
                      OfPiece of_piece) {
  const at::Tensor flat_actual = actual.flatten();
  const at::Tensor flat_expected = expected.flatten();
  std::vector<at::Tensor> pieces;
  for (std::int64_t first = 0; first < expected.numel(); first += piece) {
    const std::int64_t count = std::min(piece, expected.numel() - first);
    pieces.push_back(
        of_piece(flat_actual.narrow(0, first, count), flat_expected.narrow(0, first, count), rtol));
  }
  const at::Tensor on_host = at::stack(pieces).cpu();
  const auto* numbers = reinterpret_cast<const Numbers*>(on_host.const_data_ptr<double>());
  Differences all{.beyond = -infinite, .squares = {.elements = expected.numel()}};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& [beyond, max_abs, max_rel, errors, references] = numbers[i];
    all.beyond = std::max(all.beyond, beyond);
    // A NaN is kept, since it shows that some values are not finite.
    all.max_abs = max_abs > all.max_abs || max_abs != max_abs ? max_abs : all.max_abs;
    all.max_rel = std::max(all.max_rel, max_rel);
    all.squares.errors += errors * errors;
    all.squares.references += references * references;
  }
  return all;
}

// Finite values are assumed first: nearly all kernels give them, and it halves the passes over
// memory.
Differences on_gpu(const at::Tensor& actual, const at::Tensor& expected, double rtol) {
  const Differences found = of_pieces(actual, expected, rtol, of_finite);
  return std::isfinite(found.max_abs) ? found : of_pieces(actual, expected, rtol, of_any);
}

}  // namespace

Differences differences(const at::Tensor& actual, const at::Tensor& expected, double rtol) {
  if (expected.numel() == 0) return {};
  return expected.is_cpu() ? on_cpu(actual, expected, rtol) : on_gpu(actual, expected, rtol);
}

}  // namespace robust_kbench
