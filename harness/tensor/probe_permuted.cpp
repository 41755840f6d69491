#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "tensor/probe_content.hpp"

namespace robust_kbench {
namespace {

constexpr std::uint64_t earlier_seed = 1;
// Those of the greatest number. Sums of thousands of numbers, and of their squares and products,
// are then exact in float32. More bits would make every addition round the same way.
constexpr int bits = 4;

at::Tensor of_few_bits(const at::Tensor& drawn) {
  if (!drawn.is_floating_point() || drawn.numel() == 0) return drawn;
  const double greatest = drawn.abs().max().item<double>();
  if (greatest == 0.0) return drawn;
  const double unit = std::ldexp(1.0, static_cast<int>(std::ceil(std::log2(greatest))) - bits);
  // Rounded away from 0, as a variance must not be 0.
  return drawn.abs().div_(unit).ceil_().mul_(unit).mul_(drawn.sign());
}

bool stands_in_another_order(const ProbeSource& source) {
  return !source.enlarges();
}

at::Tensor earlier(const ProbeSource& source, const TensorSpec& spec) {
  ProbeSource first = source;
  if (stands_in_another_order(source)) first.seed = earlier_seed;
  return of_few_bits(first.typical(spec));
}

// Element i of the new order is element (factor i + first) mod count. Sorting random numbers would
// take longer than all else.
at::Tensor order(const ProbeSource& source, const TensorSpec& spec, std::int64_t count) {
  CipherStream random(tensor_key(source.task.name, spec.name + "/order", source.seed));
  const auto below_count = [&] {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
  };
  std::int64_t factor = std::max<std::int64_t>(below_count(), count / 3 + 1);
  while (std::gcd(factor, count) != 1) ++factor;
  return indices(count, source.device).mul_(factor).add_(below_count()).remainder_(count);
}

}  // namespace

at::Tensor permuted_rows(const ProbeSource& source, const TensorSpec& spec) {
  const at::Tensor drawn = earlier(source, spec);
  if (!stands_in_another_order(source) || drawn.dim() == 0) return drawn;
  return drawn.index_select(0, order(source, spec, drawn.size(0)));
}

at::Tensor permuted_elements(const ProbeSource& source, const TensorSpec& spec) {
  const at::Tensor drawn = earlier(source, spec);
  if (!stands_in_another_order(source)) return drawn;
  return drawn.flatten().index_select(0, order(source, spec, drawn.numel())).view(spec.shape);
}

}  // namespace robust_kbench
