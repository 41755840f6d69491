#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <robust_kbench/shim/macros.h>

// CUDA's 16-bit floats, which are complete only in a kernel that includes CUDA's headers.
struct __half;
struct __nv_bfloat16;

namespace rkb {

namespace bits {

inline C10_HOST_DEVICE std::uint32_t of_float(float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

inline C10_HOST_DEVICE float to_float(std::uint32_t word) {
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// Converts to IEEE 754 binary16, and rounds to nearest even.
inline C10_HOST_DEVICE std::uint16_t half_of_float(float value) {
#if defined(__CUDA_ARCH__)
  std::uint16_t result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
#else
  const std::uint32_t word = of_float(value);
  const std::uint32_t sign = (word >> 16) & 0x8000U;
  const std::uint32_t magnitude = word & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (magnitude >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < 0x38800000U) {
    // Adding 0.5 aligns a subnormal's last bit with a float's last bit, so that the addition
    // rounds.
    const float shifted = to_float(magnitude) + 0.5F;
    return static_cast<std::uint16_t>(sign | (of_float(shifted) - 0x3f000000U));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1U;
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000U + 0xfffU + odd) >> 13));
#endif
}

inline C10_HOST_DEVICE float float_of_half(std::uint16_t half) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(half));
  return result;
#else
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t magnitude = half & 0x7fffU;
  if (magnitude >= 0x7c00U) return to_float(sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13));
  // 2^112 moves the exponent's bias from 15 to 127 and makes subnormals normal.
  const float scaled = to_float(magnitude << 13) * 5.192296858534828e33F;
  return to_float(sign | of_float(scaled));
#endif
}

inline C10_HOST_DEVICE std::uint16_t bfloat16_of_float(float value) {
  const std::uint32_t word = of_float(value);
  if ((word & 0x7fffffffU) > 0x7f800000U) return 0x7fc0U;
  return static_cast<std::uint16_t>((word + 0x7fffU + ((word >> 16) & 1U)) >> 16);
}

inline C10_HOST_DEVICE float float_of_bfloat16(std::uint16_t value) {
  return to_float(static_cast<std::uint32_t>(value) << 16);
}

}  // namespace bits

// A 16-bit float that computes in float. `Native` is CUDA's type with the same bits.
template <typename Native, std::uint16_t (*from_float)(float), float (*as_float)(std::uint16_t)>
struct alignas(2) Float16 {
  std::uint16_t x;

  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }

  Float16() = default;
  constexpr C10_HOST_DEVICE Float16(std::uint16_t word, from_bits_t) : x(word) {}
  C10_HOST_DEVICE Float16(float value) : x(from_float(value)) {}
  template <typename T, typename = std::enable_if_t<std::is_same_v<T, Native>>, typename = void>
  C10_HOST_DEVICE Float16(const T& value) {
    std::memcpy(&x, &value, sizeof x);
  }

  C10_HOST_DEVICE operator float() const { return as_float(x); }
  template <typename T, typename = std::enable_if_t<std::is_same_v<T, Native>>>
  C10_HOST_DEVICE operator T() const {
    T value;
    std::memcpy(&value, &x, sizeof x);
    return value;
  }

  C10_HOST_DEVICE Float16& operator+=(Float16 other) { return *this = *this + other; }
  C10_HOST_DEVICE Float16& operator-=(Float16 other) { return *this = *this - other; }
  C10_HOST_DEVICE Float16& operator*=(Float16 other) { return *this = *this * other; }
  C10_HOST_DEVICE Float16& operator/=(Float16 other) { return *this = *this / other; }

  friend C10_HOST_DEVICE Float16 operator+(Float16 a, Float16 b) { return float(a) + float(b); }
  friend C10_HOST_DEVICE Float16 operator-(Float16 a, Float16 b) { return float(a) - float(b); }
  friend C10_HOST_DEVICE Float16 operator*(Float16 a, Float16 b) { return float(a) * float(b); }
  friend C10_HOST_DEVICE Float16 operator/(Float16 a, Float16 b) { return float(a) / float(b); }
  friend C10_HOST_DEVICE Float16 operator-(Float16 a) { return -float(a); }

  friend C10_HOST_DEVICE float operator+(Float16 a, float b) { return float(a) + b; }
  friend C10_HOST_DEVICE float operator-(Float16 a, float b) { return float(a) - b; }
  friend C10_HOST_DEVICE float operator*(Float16 a, float b) { return float(a) * b; }
  friend C10_HOST_DEVICE float operator/(Float16 a, float b) { return float(a) / b; }
  friend C10_HOST_DEVICE float operator+(float a, Float16 b) { return a + float(b); }
  friend C10_HOST_DEVICE float operator-(float a, Float16 b) { return a - float(b); }
  friend C10_HOST_DEVICE float operator*(float a, Float16 b) { return a * float(b); }
  friend C10_HOST_DEVICE float operator/(float a, Float16 b) { return a / float(b); }

  friend C10_HOST_DEVICE double operator+(Float16 a, double b) { return float(a) + b; }
  friend C10_HOST_DEVICE double operator-(Float16 a, double b) { return float(a) - b; }
  friend C10_HOST_DEVICE double operator*(Float16 a, double b) { return float(a) * b; }
  friend C10_HOST_DEVICE double operator/(Float16 a, double b) { return float(a) / b; }
  friend C10_HOST_DEVICE double operator+(double a, Float16 b) { return a + float(b); }
  friend C10_HOST_DEVICE double operator-(double a, Float16 b) { return a - float(b); }
  friend C10_HOST_DEVICE double operator*(double a, Float16 b) { return a * float(b); }
  friend C10_HOST_DEVICE double operator/(double a, Float16 b) { return a / float(b); }

  friend C10_HOST_DEVICE Float16 operator+(Float16 a, int b) { return a + Float16(float(b)); }
  friend C10_HOST_DEVICE Float16 operator-(Float16 a, int b) { return a - Float16(float(b)); }
  friend C10_HOST_DEVICE Float16 operator*(Float16 a, int b) { return a * Float16(float(b)); }
  friend C10_HOST_DEVICE Float16 operator/(Float16 a, int b) { return a / Float16(float(b)); }

#if defined(__CUDACC__)
  friend C10_DEVICE Float16 __ldg(const Float16* address) {
    std::uint16_t word;
    asm("ld.global.nc.b16 %0, [%1];" : "=h"(word) : "l"(address));
    return Float16(word, from_bits());
  }
#endif
};

using Half = Float16<__half, bits::half_of_float, bits::float_of_half>;
using BFloat16 = Float16<__nv_bfloat16, bits::bfloat16_of_float, bits::float_of_bfloat16>;

static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2);

// The type for sums of T, as at::opmath_type: float for the 16-bit floats on either device.
template <typename T>
struct OpMathType {
  using type = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;
};
template <typename T>
using opmath_type = typename OpMathType<T>::type;

// The type in which torch accumulates T: opmath_type on a GPU, and double for float on a CPU.
template <typename T, bool is_cuda>
using acc_type =
    std::conditional_t<!is_cuda && std::is_same_v<opmath_type<T>, float>, double, opmath_type<T>>;

}  // namespace rkb

template <>
class std::numeric_limits<rkb::Half> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool has_infinity = true;
  static constexpr C10_HOST_DEVICE rkb::Half min() { return {0x0400, rkb::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE rkb::Half lowest() { return {0xfbff, rkb::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE rkb::Half max() { return {0x7bff, rkb::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE rkb::Half epsilon() { return {0x1400, rkb::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE rkb::Half infinity() { return {0x7c00, rkb::Half::from_bits()}; }
};

template <>
class std::numeric_limits<rkb::BFloat16> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool has_infinity = true;
  static constexpr C10_HOST_DEVICE rkb::BFloat16 min() { return make(0x0080); }
  static constexpr C10_HOST_DEVICE rkb::BFloat16 lowest() { return make(0xff7f); }
  static constexpr C10_HOST_DEVICE rkb::BFloat16 max() { return make(0x7f7f); }
  static constexpr C10_HOST_DEVICE rkb::BFloat16 epsilon() { return make(0x3c00); }
  static constexpr C10_HOST_DEVICE rkb::BFloat16 infinity() { return make(0x7f80); }

 private:
  static constexpr C10_HOST_DEVICE rkb::BFloat16 make(std::uint16_t word) {
    return {word, rkb::BFloat16::from_bits()};
  }
};
