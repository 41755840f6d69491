#pragma once

#include <vector>

#include <robust_kbench/table.h>
#include <robust_kbench/types.h>

// Converts a kernel's types to the table's values.
namespace rkb {

inline rkb_value make_value(rkb_kind kind, std::int64_t integer = 0) {
  rkb_value value{};
  value.kind = kind;
  value.as.integer = integer;
  return value;
}

inline rkb_value to_value(bool boolean) {
  return make_value(RKB_BOOLEAN, boolean ? 1 : 0);
}
inline rkb_value to_value(std::int64_t integer) {
  return make_value(RKB_INT, integer);
}
inline rkb_value to_value(double real) {
  rkb_value value = make_value(RKB_DOUBLE);
  value.as.real = real;
  return value;
}
inline rkb_value to_value(Scalar scalar) {
  if (scalar.isFloatingPoint()) return to_value(scalar.toDouble());
  return scalar.isBoolean() ? to_value(scalar.toBool()) : to_value(scalar.toLong());
}
inline rkb_value to_value(const char* string) {
  rkb_value value = make_value(RKB_STRING);
  value.as.string = string;
  return value;
}
inline rkb_value to_value(IntArrayRef integers) {
  rkb_value value = make_value(RKB_INT_LIST);
  value.length = static_cast<std::int32_t>(integers.size());
  value.as.integers = integers.data();
  return value;
}
inline rkb_value to_value(const std::vector<rkb_value>& items) {
  rkb_value value = make_value(RKB_TUPLE);
  value.length = static_cast<std::int32_t>(items.size());
  value.as.items = items.data();
  return value;
}
inline rkb_value to_value(ScalarType dtype) {
  return make_value(RKB_DTYPE, static_cast<std::int64_t>(dtype));
}
inline rkb_value to_value(Device device) {
  return make_value(RKB_DEVICE, static_cast<std::int64_t>(device.index()) << 32 |
                                    static_cast<std::int64_t>(device.type()));
}
template <typename T>
rkb_value to_value(const optional<T>& value) {
  return value.has_value() ? to_value(*value) : make_value(RKB_NONE);
}

}  // namespace rkb
