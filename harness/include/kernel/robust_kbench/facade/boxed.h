#pragma once

#include <tuple>
#include <vector>

#include <robust_kbench/facade/tensor.h>

// Calls of torch's operators by schema name. Arguments are positional in the schema's order; those
// left out at the end take the schema's defaults.
namespace rkb {

inline rkb_value make_value(rkb_kind kind, std::int64_t integer = 0) {
  rkb_value value{};
  value.kind = kind;
  value.as.integer = integer;
  return value;
}

inline rkb_value to_value(const Tensor& tensor) {
  rkb_value value = make_value(tensor.defined() ? RKB_TENSOR : RKB_NONE);
  value.as.tensor = tensor.impl();
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

RKB_COLD inline std::vector<rkb_value> to_values(TensorList tensors) {
  std::vector<rkb_value> values;
  for (const Tensor& tensor : tensors) values.push_back(to_value(tensor));
  return values;
}

RKB_COLD inline std::vector<Tensor> call_boxed(const char* name, const char* overload,
                                               const rkb_value* arguments, std::int32_t count) {
  constexpr std::int32_t max_results = 256;
  rkb_value results[max_results];
  std::int32_t result_count = 0;
  check_status(table->call(name, overload, arguments, count, results, max_results, &result_count));
  std::vector<Tensor> tensors;
  for (std::int32_t i = 0; i < result_count; ++i) {
    tensors.push_back(results[i].kind == RKB_TENSOR ? Tensor::adopt(results[i].as.tensor)
                                                    : Tensor());
  }
  return tensors;
}

template <typename... Arguments>
RKB_NO_IPA std::vector<Tensor> call_for_list(const char* name, const char* overload,
                                             const Arguments&... arguments) {
  const rkb_value values[] = {to_value(arguments)...};
  return call_boxed(name, overload, values, static_cast<std::int32_t>(sizeof...(arguments)));
}

template <typename... Arguments>
RKB_NO_IPA Tensor call(const char* name, const char* overload, const Arguments&... arguments) {
  std::vector<Tensor> results = call_for_list(name, overload, arguments...);
  TORCH_CHECK(results.size() == 1, name, " returned ", results.size(), " values, expected 1");
  return std::move(results[0]);
}

template <typename... Arguments>
RKB_NO_IPA std::tuple<Tensor, Tensor> call_for_two(const char* name, const char* overload,
                                                   const Arguments&... arguments) {
  std::vector<Tensor> results = call_for_list(name, overload, arguments...);
  TORCH_CHECK(results.size() == 2, name, " returned ", results.size(), " values, expected 2");
  return {std::move(results[0]), std::move(results[1])};
}

}  // namespace rkb
