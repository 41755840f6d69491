#include <string>
#include <type_traits>
#include <vector>

#include "shim/python/value.hpp"
#include <robust_kbench/python/caster.h>

namespace rkb {
namespace {

bool is_integer(const rkb_value& value) {
  return value.kind == RKB_INT || value.kind == RKB_BOOLEAN;
}

bool is_number(const rkb_value& value) {
  return value.kind == RKB_DOUBLE || is_integer(value);
}

double real_of(const rkb_value& value) {
  return value.kind == RKB_DOUBLE ? value.as.real : static_cast<double>(value.as.integer);
}

// True if T can represent the integer.
template <typename T>
bool fits(const rkb_value& value) {
  if (!is_integer(value)) return false;
  if (std::is_unsigned_v<T> && value.as.integer < 0) return false;
  return static_cast<std::int64_t>(static_cast<T>(value.as.integer)) == value.as.integer;
}

}  // namespace

bool is_list(const rkb_value& value) {
  return value.kind == RKB_TUPLE || value.kind == RKB_INT_LIST || value.kind == RKB_DOUBLE_LIST;
}

#define RKB_DEFINE_CASTER(type, accepted, loaded)      \
  bool Caster<type>::accepts(const rkb_value& value) { \
    return accepted;                                   \
  }                                                    \
  type Caster<type>::load(const rkb_value& value) {    \
    return loaded;                                     \
  }
#define RKB_DEFINE_INTEGER_CASTER(type) \
  RKB_DEFINE_CASTER(type, fits<type>(value), static_cast<type>(value.as.integer))
RKB_DEFINE_INTEGER_CASTER(short)
RKB_DEFINE_INTEGER_CASTER(int)
RKB_DEFINE_INTEGER_CASTER(long)
RKB_DEFINE_INTEGER_CASTER(long long)
RKB_DEFINE_INTEGER_CASTER(unsigned)
RKB_DEFINE_INTEGER_CASTER(unsigned long)
RKB_DEFINE_INTEGER_CASTER(unsigned long long)
RKB_DEFINE_CASTER(float, is_number(value), static_cast<float>(real_of(value)))
RKB_DEFINE_CASTER(double, is_number(value), real_of(value))
RKB_DEFINE_CASTER(bool, is_integer(value), value.as.integer != 0)
RKB_DEFINE_CASTER(Scalar, is_number(value),
                  value.kind == RKB_DOUBLE    ? Scalar(value.as.real)
                  : value.kind == RKB_BOOLEAN ? Scalar(value.as.integer != 0)
                                              : Scalar(value.as.integer))
RKB_DEFINE_CASTER(Tensor, value.kind == RKB_TENSOR,
                  value.kind == RKB_NONE ? Tensor() : borrow_tensor(value.as.tensor))
RKB_DEFINE_CASTER(std::string, value.kind == RKB_STRING, value.as.string)
RKB_DEFINE_CASTER(ScalarType, value.kind == RKB_DTYPE, static_cast<ScalarType>(value.as.integer))
RKB_DEFINE_CASTER(Device, value.kind == RKB_DEVICE,
                  Device(static_cast<DeviceType>(value.as.integer & 0xffffffff),
                         static_cast<DeviceIndex>(value.as.integer >> 32)))
RKB_DEFINE_CASTER(Tuple, is_list(value), Tuple(Object(value)))
RKB_DEFINE_CASTER(List, is_list(value), List(Object(value)))

bool accepts_list(const rkb_value& list, bool (*accepts_item)(const rkb_value&)) {
  if (!is_list(list)) return false;
  for (std::int32_t i = 0; i < list.length; ++i) {
    if (!accepts_item(list_item(list, i))) return false;
  }
  return true;
}

rkb_value list_item(const rkb_value& list, std::int32_t index) {
  if (list.kind == RKB_INT_LIST) return to_value(list.as.integers[index]);
  if (list.kind == RKB_DOUBLE_LIST) return to_value(list.as.reals[index]);
  return list.as.items[index];
}

}  // namespace rkb
