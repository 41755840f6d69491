#include "tensor/probe_content.hpp"

#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

constexpr int most_steps = 3;
constexpr double step = 1e-6;
// Small beside 1, and beyond the 10 bits of TF32. Sums that stay below 256 on their way are exact.
constexpr double tiny = 0x1p-15;

// Moves elements up by 0 to 3 ulp of float32.
at::Tensor moved_by_ulps(const at::Tensor& numbers, const at::Tensor& steps) {
  return numbers.contiguous().view(at::kInt).add(steps.to(at::kInt)).view(at::kFloat);
}

at::Tensor a_few_ulps_apart(const ProbeSource& source, const TensorSpec& spec) {
  const std::int64_t length = plane_length(spec.shape);
  std::int64_t elements = 1;
  for (const std::int64_t size : spec.shape) elements *= size;
  const std::int64_t planes = elements / length;
  const at::Tensor common =
      source.uniform_numbers(spec, "common", {planes, 1}, 0.5, 2.0).expand({planes, length});
  const at::Tensor steps =
      source.uniform_numbers(spec, "steps", {planes, length}, 0.0, most_steps + 1.0).floor_();
  const at::Tensor even = indices(planes, source.device).remainder(2).eq(0).view({planes, 1});
  return at::where(even, moved_by_ulps(common, steps), common.add(steps.mul(step)))
      .reshape(spec.shape);
}

// Makes the sum of each row 0, by its last element.
void balance(const at::Tensor& rows) {
  const std::int64_t last = rows.size(1) - 1;
  if (last == 0) return;
  rows.narrow(1, last, 1).copy_(rows.narrow(1, 0, last).sum({1}, /*keepdim=*/true).neg());
}

// Makes the sum of each column 0, by pairs of opposite rows. One row that balanced all others would
// have large elements, and sums of it would not be exact. The last three rows of an odd number are
// one group.
void pair_rows(const at::Tensor& rows) {
  const std::int64_t count = rows.size(0);
  if (count < 2) return;
  const std::int64_t paired = count - count % 2;
  rows.slice(0, 1, paired, 2).copy_(rows.slice(0, 0, paired, 2).neg());
  if (paired == count) return;
  rows.select(0, count - 2).copy_(rows.select(0, count - 3).add(rows.select(0, count - 1)).neg());
}

}  // namespace

at::Tensor nearly_equal(const ProbeSource& source, const TensorSpec& spec) {
  if (source.enlarges()) return a_few_ulps_apart(source, spec);
  const std::int64_t length = row_length(spec.shape);
  std::int64_t elements = 1;
  for (const std::int64_t size : spec.shape) elements *= size;
  const std::int64_t rows = elements / length;
  const at::Tensor sign = source.uniform_numbers(spec, "sign", {rows, 1}, -1.0, 1.0).sign_();
  return small_integers(source, spec, "tiny", {rows, length}, 1)
      .mul_(tiny)
      .add_(at::where(sign.eq(0), 1.0, sign.to(at::kDouble)).to(at::kFloat))
      .reshape(spec.shape);
}

at::Tensor cancelling(const ProbeSource& source, const TensorSpec& spec) {
  const at::Tensor drawn = small_integers(source, spec, "integers", spec.shape, 1);
  const at::Tensor whole =
      at::where(drawn.eq(0), at::where(drawn.signbit(), -1.0, 1.0), drawn.to(at::kDouble))
          .to(at::kFloat);
  if (spec.shape.size() < 2) return whole.mul(tiny / 2);
  const at::Tensor rows = whole.contiguous().view({spec.shape.front(), -1});
  balance(rows);
  if (spec.shape.size() == 2) pair_rows(rows);
  return rows.view(spec.shape);
}

}  // namespace robust_kbench
