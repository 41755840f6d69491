#include "tensor/fill_on_device.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tensor/fill.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

// Step for step the arithmetic of fill.cpp, whose comments say why.
namespace robust_kbench {
namespace {

// Elements made at once: some twenty temporaries of this size, 4 or 8 bytes an element.
constexpr std::int64_t piece = std::int64_t{1} << 23;
static_assert(piece % (2 * words_per_block) == 0);

std::int64_t as_signed(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}

// Torch shifts signed numbers, which drags the sign along.
at::Tensor logical_shift(const at::Tensor& x, int bits) {
  return x.bitwise_right_shift(bits).bitwise_and_((std::int64_t{1} << (64 - bits)) - 1);
}

at::Tensor hash_words(std::uint64_t key, std::int64_t first, std::int64_t count,
                      c10::Device device) {
  constexpr std::uint64_t increment = 0x9e3779b97f4a7c15ULL;
  at::Tensor x = at::arange(first, first + count, at::TensorOptions(at::kLong).device(device))
                     .mul_(as_signed(increment))
                     .add_(as_signed(key + increment));
  x = x.bitwise_xor(logical_shift(x, 30)).mul_(as_signed(0xbf58476d1ce4e5b9ULL));
  x = x.bitwise_xor(logical_shift(x, 27)).mul_(as_signed(0x94d049bb133111ebULL));
  return x.bitwise_xor(logical_shift(x, 31));
}

// c0 + x (c1 + x (c2 + ...)).
at::Tensor polynomial(const at::Tensor& x, const std::vector<float>& coefficients) {
  at::Tensor value = x.mul(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) {
    value.add_(coefficients[i]);
    if (i > 0) value.mul_(x);
  }
  return value;
}

// c0 - x (c1 - x (c2 - ...)).
at::Tensor alternating_polynomial(const at::Tensor& x, const std::vector<float>& coefficients) {
  at::Tensor value = x.mul(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) {
    value = at::rsub(value, coefficients[i]);
    if (i > 0) value.mul_(x);
  }
  return value;
}

at::Tensor log_of(const at::Tensor& x) {
  constexpr std::int32_t sqrt_half = 0x3f3504f3;
  const at::Tensor bits = x.view(at::kInt).sub(sqrt_half);
  const at::Tensor exponent = bits.bitwise_right_shift(23).to(at::kFloat);
  const at::Tensor m = bits.bitwise_and(0x7fffff).add_(sqrt_half).view(at::kFloat);
  const at::Tensor s = m.sub(1).div_(m.add(1));
  const at::Tensor series = polynomial(s.mul(s), {1.0F, 1.0F / 3, 1.0F / 5, 1.0F / 7, 1.0F / 9});
  return exponent.mul(std::numbers::ln2_v<float>).add_(s.mul(2).mul_(series));
}

struct Points {
  at::Tensor x;
  at::Tensor y;
};

Points on_circle(const at::Tensor& bits) {
  const at::Tensor turn = bits.bitwise_left_shift(2).to(at::kInt);
  const at::Tensor a = turn.to(at::kFloat).mul_(std::numbers::pi_v<float> * 0x1p-33F);
  const at::Tensor a2 = a.mul(a);
  const at::Tensor sine =
      alternating_polynomial(a2, {1.0F, 1.0F / 6, 1.0F / 120, 1.0F / 5040, 1.0F / 362880}).mul_(a);
  const at::Tensor cosine =
      alternating_polynomial(a2, {1.0F, 1.0F / 2, 1.0F / 24, 1.0F / 720, 1.0F / 40320});
  const at::Tensor swap = bits.bitwise_and(std::int64_t{1} << 30).ne(0);
  const at::Tensor negate = bits.bitwise_and(std::int64_t{1} << 31).ne(0);
  const at::Tensor x = at::where(swap, sine, cosine);
  const at::Tensor y = at::where(swap, cosine.neg(), sine);
  return {at::where(negate, x.neg(), x), at::where(negate, y.neg(), y)};
}

// Both elements of each word.
Points normal_points(const Distribution& distribution, const at::Tensor& low,
                     const at::Tensor& high) {
  const auto mean = static_cast<float>(distribution.a);
  const auto stddev = static_cast<float>(distribution.b);
  const at::Tensor unit = low.bitwise_right_shift(1).to(at::kFloat).mul_(0x1p-31F).add_(0x1p-32F);
  // A square root in float64, rounded, is the float32's own; torch's for float32 may be an ULP off.
  const at::Tensor radius =
      log_of(unit).mul_(-2).to(at::kDouble).sqrt_().to(at::kFloat).mul_(stddev);
  const Points point = on_circle(high);
  return {radius.mul(point.x).add_(mean), radius.mul(point.y).add_(mean)};
}

at::Tensor uniform_numbers(const Distribution& distribution, const at::Tensor& bits) {
  const auto low = static_cast<float>(distribution.a);
  const auto high = static_cast<float>(distribution.b);
  const float last = std::nextafter(high, low);
  return bits.bitwise_right_shift(8)
      .to(at::kFloat)
      .mul_(0x1p-24F)
      .mul_(high - low)
      .add_(low)
      .clamp_max_(last);
}

}  // namespace

at::Tensor fill_on_device(const Distribution& distribution, std::uint64_t key, std::int64_t count,
                          c10::Device device) {
  at::Tensor filled = at::empty({count}, at::TensorOptions(at::kFloat).device(device));
  for (std::int64_t first = 0; first < count; first += piece) {
    const std::int64_t elements = std::min(piece, count - first);
    const std::int64_t blocks = (elements + 2 * words_per_block - 1) / (2 * words_per_block);
    const at::Tensor words = hash_words(key, first / 2, blocks * words_per_block, device);
    const at::Tensor low = words.bitwise_and(std::numeric_limits<std::uint32_t>::max());
    const at::Tensor high = logical_shift(words, 32);
    const Points made =
        distribution.kind == Distribution::Kind::normal
            ? normal_points(distribution, low, high)
            : Points{uniform_numbers(distribution, low), uniform_numbers(distribution, high)};
    const at::Tensor by_block = at::stack(
        {made.x.view({blocks, words_per_block}), made.y.view({blocks, words_per_block})}, 1);
    filled.narrow(0, first, elements).copy_(by_block.flatten().narrow(0, 0, elements));
  }
  return filled;
}

}  // namespace robust_kbench
