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
#include <ATen/ops/where.h>

// This file repeats the arithmetic of fill.cpp step by step. The comments there give the reasons.
namespace robust_kbench {
namespace {

constexpr std::int64_t block_elements = 2 * words_per_block;
// Elements made at once. The operators on fewer take longer to launch than to run; on more, their
// temporaries only take more memory.
constexpr std::int64_t launch_elements = std::int64_t{1} << 23;
static_assert(launch_elements % block_elements == 0);

constexpr std::uint64_t increment = 0x9e3779b97f4a7c15ULL;

std::int64_t as_signed(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}

// Torch's shift copies the sign bit, which the mask removes.
at::Tensor logical_shift(const at::Tensor& x, int bits) {
  return x.bitwise_right_shift(bits).bitwise_and_((std::int64_t{1} << (64 - bits)) - 1);
}

// Hashes the words from `first` on. `multiples` holds 0, 1, 2, and so on times the increment, one
// for each word.
at::Tensor hash_words(std::uint64_t key, std::int64_t first, const at::Tensor& multiples) {
  const std::uint64_t start = key + increment * (static_cast<std::uint64_t>(first) + 1);
  const at::Tensor x = multiples.add(as_signed(start));
  x.bitwise_xor_(logical_shift(x, 30)).mul_(as_signed(0xbf58476d1ce4e5b9ULL));
  x.bitwise_xor_(logical_shift(x, 27)).mul_(as_signed(0x94d049bb133111ebULL));
  return x.bitwise_xor_(logical_shift(x, 31));
}

// Evaluates c0 + x (c1 + x (c2 + ...)).
at::Tensor polynomial(const at::Tensor& x, const std::vector<float>& coefficients) {
  at::Tensor value = x.mul(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) {
    value.add_(coefficients[i]);
    if (i > 0) value.mul_(x);
  }
  return value;
}

// Evaluates c0 - x (c1 - x (c2 - ...)).
at::Tensor alternating_polynomial(const at::Tensor& x, const std::vector<float>& coefficients) {
  at::Tensor value = x.mul(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) {
    value = at::rsub(value, coefficients[i]);
    if (i > 0) value.mul_(x);
  }
  return value;
}

// Torch converts and rounds an integer before multiplying it by a float.
at::Tensor log_on_device(const at::Tensor& x) {
  constexpr std::int32_t sqrt_half = 0x3f3504f3;
  const at::Tensor bits = x.view(at::kInt).sub(sqrt_half);
  const at::Tensor logarithm = bits.bitwise_right_shift(23).mul(std::numbers::ln2_v<float>);
  const at::Tensor m = bits.bitwise_and(0x7fffff).add_(sqrt_half).view(at::kFloat);
  const at::Tensor s = m.sub(1).div_(m.add(1));
  const at::Tensor series = polynomial(s.mul(s), {1.0F, 1.0F / 3, 1.0F / 5, 1.0F / 7, 1.0F / 9});
  return logarithm.add(s.mul(2).mul_(series));
}

struct Points {
  at::Tensor x;
  at::Tensor y;
};

Points circle_on_device(const at::Tensor& bits) {
  const at::Tensor a = bits.bitwise_left_shift(2).mul(std::numbers::pi_v<float> * 0x1p-33F);
  const at::Tensor a2 = a.mul(a);
  const at::Tensor sine =
      alternating_polynomial(a2, {1.0F, 1.0F / 6, 1.0F / 120, 1.0F / 5040, 1.0F / 362880}).mul_(a);
  const at::Tensor cosine =
      alternating_polynomial(a2, {1.0F, 1.0F / 2, 1.0F / 24, 1.0F / 720, 1.0F / 40320});
  const at::Tensor swap = bits.bitwise_and(1 << 30).ne(0);
  const at::Tensor sign = bits.bitwise_and(std::numeric_limits<std::int32_t>::min());
  const auto signed_where = [&](const at::Tensor& swapped, const at::Tensor& straight) {
    return at::where(swap, swapped, straight).view(at::kInt).bitwise_xor_(sign).view(at::kFloat);
  };
  return {signed_where(sine, cosine), signed_where(cosine.neg(), sine)};
}

// The two normals of each word, given its low and its high half.
Points normal_points(const Distribution& distribution, const at::Tensor& low,
                     const at::Tensor& high) {
  const auto mean = static_cast<float>(distribution.a);
  const auto stddev = static_cast<float>(distribution.b);
  const at::Tensor unit = low.bitwise_right_shift(1)
                              .bitwise_and_(std::numeric_limits<std::int32_t>::max())
                              .mul(0x1p-31F)
                              .add_(0x1p-32F);
  // The float64 square root, rounded, is the correct float32 one. Torch's own may be an ULP off.
  const at::Tensor radius =
      log_on_device(unit).mul_(-2).to(at::kDouble).sqrt_().to(at::kFloat).mul_(stddev);
  const Points point = circle_on_device(high);
  return {point.x.mul_(radius).add_(mean), point.y.mul_(radius).add_(mean)};
}

at::Tensor uniform_numbers(const Distribution& distribution, const at::Tensor& bits) {
  const auto low = static_cast<float>(distribution.a);
  const auto high = static_cast<float>(distribution.b);
  const float last = std::nextafter(high, low);
  return bits.bitwise_right_shift(8)
      .bitwise_and_(0xffffff)
      .mul(0x1p-24F)
      .mul_(high - low)
      .add_(low)
      .clamp_max_(last);
}

}  // namespace

at::Tensor fill_on_device(const Distribution& distribution, std::uint64_t key, std::int64_t count,
                          c10::Device device) {
  const std::int64_t blocks = (count + block_elements - 1) / block_elements;
  constexpr std::int64_t max_blocks = launch_elements / block_elements;
  const at::Tensor filled =
      at::empty({blocks, 2, words_per_block}, at::TensorOptions(at::kFloat).device(device));
  const at::Tensor multiples = at::arange(std::min(blocks, max_blocks) * words_per_block,
                                          at::TensorOptions(at::kLong).device(device))
                                   .mul_(as_signed(increment));
  for (std::int64_t first = 0; first < blocks; first += max_blocks) {
    const std::int64_t made = std::min(max_blocks, blocks - first);
    const at::Tensor words =
        hash_words(key, first * words_per_block, multiples.narrow(0, 0, made * words_per_block));
    const at::Tensor halves = words.view(at::kInt).view({-1, 2});
    const at::Tensor low = halves.select(1, 0);
    const at::Tensor high = halves.select(1, 1);
    const Points points =
        distribution.kind == Distribution::Kind::normal
            ? normal_points(distribution, low, high)
            : Points{uniform_numbers(distribution, low), uniform_numbers(distribution, high)};
    const at::Tensor out = filled.narrow(0, first, made);
    out.select(1, 0).copy_(points.x.view({made, words_per_block}));
    out.select(1, 1).copy_(points.y.view({made, words_per_block}));
  }
  return filled.flatten().narrow(0, 0, count);
}

}  // namespace robust_kbench
