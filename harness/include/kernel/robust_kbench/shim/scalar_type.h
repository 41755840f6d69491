#pragma once

#include <cstddef>
#include <cstdint>

#include <robust_kbench/shim/half.h>

namespace rkb {

// The values equal those of c10::ScalarType and rkb_dtype. Types of c10 that no task has are left
// out.
enum class ScalarType : std::int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  Bool = 11,
  BFloat16 = 15,
  Undefined = 45
};

constexpr ScalarType kByte = ScalarType::Byte;
constexpr ScalarType kUInt8 = ScalarType::Byte;
constexpr ScalarType kChar = ScalarType::Char;
constexpr ScalarType kInt8 = ScalarType::Char;
constexpr ScalarType kShort = ScalarType::Short;
constexpr ScalarType kInt16 = ScalarType::Short;
constexpr ScalarType kInt = ScalarType::Int;
constexpr ScalarType kInt32 = ScalarType::Int;
constexpr ScalarType kLong = ScalarType::Long;
constexpr ScalarType kInt64 = ScalarType::Long;
constexpr ScalarType kHalf = ScalarType::Half;
constexpr ScalarType kFloat16 = ScalarType::Half;
constexpr ScalarType kFloat = ScalarType::Float;
constexpr ScalarType kFloat32 = ScalarType::Float;
constexpr ScalarType kDouble = ScalarType::Double;
constexpr ScalarType kFloat64 = ScalarType::Double;
constexpr ScalarType kBool = ScalarType::Bool;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;

constexpr std::size_t elementSize(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
    case ScalarType::Char:
    case ScalarType::Bool:
      return 1;
    case ScalarType::Short:
    case ScalarType::Half:
    case ScalarType::BFloat16:
      return 2;
    case ScalarType::Int:
    case ScalarType::Float:
      return 4;
    case ScalarType::Long:
    case ScalarType::Double:
      return 8;
    case ScalarType::Undefined:
      break;
  }
  return 0;
}

constexpr bool isFloatingType(ScalarType type) {
  return type == ScalarType::Half || type == ScalarType::Float || type == ScalarType::Double ||
         type == ScalarType::BFloat16;
}

constexpr bool isIntegralType(ScalarType type, bool include_bool = false) {
  return type <= ScalarType::Long || (include_bool && type == ScalarType::Bool);
}

constexpr const char* toString(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
      return "Byte";
    case ScalarType::Char:
      return "Char";
    case ScalarType::Short:
      return "Short";
    case ScalarType::Int:
      return "Int";
    case ScalarType::Long:
      return "Long";
    case ScalarType::Half:
      return "Half";
    case ScalarType::Float:
      return "Float";
    case ScalarType::Double:
      return "Double";
    case ScalarType::Bool:
      return "Bool";
    case ScalarType::BFloat16:
      return "BFloat16";
    case ScalarType::Undefined:
      break;
  }
  return "Undefined";
}

template <typename T>
struct CppTypeToScalarType;

#define RKB_MAP_SCALAR_TYPE(type, name)                   \
  template <>                                             \
  struct CppTypeToScalarType<type> {                      \
    static constexpr ScalarType value = ScalarType::name; \
  };
RKB_MAP_SCALAR_TYPE(std::uint8_t, Byte)
RKB_MAP_SCALAR_TYPE(std::int8_t, Char)
RKB_MAP_SCALAR_TYPE(std::int16_t, Short)
RKB_MAP_SCALAR_TYPE(std::int32_t, Int)
RKB_MAP_SCALAR_TYPE(std::int64_t, Long)
RKB_MAP_SCALAR_TYPE(Half, Half)
RKB_MAP_SCALAR_TYPE(float, Float)
RKB_MAP_SCALAR_TYPE(double, Double)
RKB_MAP_SCALAR_TYPE(bool, Bool)
RKB_MAP_SCALAR_TYPE(BFloat16, BFloat16)
#undef RKB_MAP_SCALAR_TYPE

}  // namespace rkb
