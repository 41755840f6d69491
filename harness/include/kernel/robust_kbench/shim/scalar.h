#pragma once

#include <cstdint>
#include <type_traits>

#include <robust_kbench/shim/scalar_type.h>

namespace rkb {

// A number whose kind is known at run time.
class Scalar {
 public:
  Scalar() : Scalar(std::int64_t{0}) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      m_kind = Kind::boolean;
      m_integer = value ? 1 : 0;
    } else if constexpr (std::is_integral_v<T>) {
      m_kind = Kind::integer;
      m_integer = static_cast<std::int64_t>(value);
    } else {
      m_kind = Kind::real;
      m_real = static_cast<double>(value);
    }
  }
  Scalar(Half value) : Scalar(static_cast<float>(value)) {}
  Scalar(BFloat16 value) : Scalar(static_cast<float>(value)) {}

  bool isFloatingPoint() const { return m_kind == Kind::real; }
  bool isBoolean() const { return m_kind == Kind::boolean; }
  bool isIntegral(bool include_bool) const {
    return m_kind == Kind::integer || (include_bool && isBoolean());
  }

  template <typename T>
  T to() const {
    return isFloatingPoint()
               ? static_cast<T>(m_real)
               : static_cast<T>(
                     static_cast<std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>(
                         m_integer));
  }
  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  std::int64_t toLong() const { return to<std::int64_t>(); }
  int toInt() const { return to<int>(); }
  bool toBool() const { return to<bool>(); }

 private:
  enum class Kind : std::uint8_t { integer, real, boolean };

  Kind m_kind = Kind::integer;
  union {
    std::int64_t m_integer;
    double m_real;
  };
};

}  // namespace rkb
