#include "tensor/operators/values.hpp"

#include <span>

#include "tensor/operators/table_data.hpp"
#include "tensor/operators/tensors.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ScalarOps.h>

namespace robust_kbench {
namespace {

[[noreturn]] void fail(const rkb_value& value, const c10::Type& type) {
  TORCH_CHECK(false, "a value of kind ", value.kind, " is no ", type.str());
}

bool is_integer(const rkb_value& value) {
  return value.kind == RKB_INT || value.kind == RKB_BOOLEAN || value.kind == RKB_DTYPE;
}

double real_of(const rkb_value& value) {
  return value.kind == RKB_DOUBLE ? value.as.real : static_cast<double>(value.as.integer);
}

c10::IValue number(const rkb_value& value, const c10::Type& type) {
  switch (value.kind) {
    case RKB_INT:
      return value.as.integer;
    case RKB_DOUBLE:
      return value.as.real;
    case RKB_BOOLEAN:
      return value.as.integer != 0;
    default:
      fail(value, type);
  }
}

// A number passed for a tensor must not widen the result's dtype, as in Python.
at::Tensor number_as_tensor(const rkb_value& value, const c10::Type& type) {
  at::Tensor tensor = c10::scalar_to_tensor(number(value, type).toScalar());
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

// An operator that makes a tensor on the GPU may be a kernel's first one there.
c10::Device device(const rkb_value& value) {
  const auto type = static_cast<c10::DeviceType>(value.as.integer & 0xffffffff);
  if (type == c10::kCUDA) load_torch_cuda();
  return {type, static_cast<c10::DeviceIndex>(value.as.integer >> 32)};
}

c10::IValue tensors(std::span<const rkb_value> items, const c10::Type& type) {
  c10::List<at::Tensor> list;
  for (const rkb_value& item : items) {
    if (item.kind != RKB_TENSOR) fail(item, type);
    list.push_back(as_torch(*item.as.tensor));
  }
  return list;
}

c10::IValue optional_tensors(std::span<const rkb_value> items) {
  c10::List<std::optional<at::Tensor>> list;
  for (const rkb_value& item : items) {
    list.push_back(item.kind == RKB_TENSOR ? std::optional(as_torch(*item.as.tensor))
                                           : std::nullopt);
  }
  return list;
}

c10::IValue list(const rkb_value& value, const c10::Type& type) {
  const auto length = static_cast<std::size_t>(value.length);
  const c10::TypeKind element = type.containedType(0)->kind();
  if (value.kind == RKB_TUPLE) {
    const std::span items(value.as.items, length);
    return element == c10::TypeKind::OptionalType ? optional_tensors(items) : tensors(items, type);
  }
  if (value.kind == RKB_INT_LIST && element == c10::TypeKind::IntType) {
    return c10::List<std::int64_t>(c10::IntArrayRef(value.as.integers, length));
  }
  if (value.kind == RKB_DOUBLE_LIST && element == c10::TypeKind::FloatType) {
    return c10::List<double>(c10::ArrayRef<double>(value.as.reals, length));
  }
  fail(value, type);
}

c10::IValue convert(const rkb_value& value, const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::OptionalType:
      return value.kind == RKB_NONE ? c10::IValue() : convert(value, *type.containedType(0));
    case c10::TypeKind::TensorType:
      if (value.kind == RKB_NONE) return at::Tensor();
      if (value.kind != RKB_TENSOR) return number_as_tensor(value, type);
      return as_torch(*value.as.tensor);
    case c10::TypeKind::NumberType:
      return number(value, type);
    case c10::TypeKind::IntType:
      if (!is_integer(value)) fail(value, type);
      return value.as.integer;
    case c10::TypeKind::FloatType:
      if (value.kind != RKB_DOUBLE && !is_integer(value)) fail(value, type);
      return real_of(value);
    case c10::TypeKind::BoolType:
      if (!is_integer(value)) fail(value, type);
      return value.as.integer != 0;
    case c10::TypeKind::StringType:
      if (value.kind != RKB_STRING) fail(value, type);
      return std::string(value.as.string);
    case c10::TypeKind::DeviceObjType:
      if (value.kind != RKB_DEVICE) fail(value, type);
      return device(value);
    case c10::TypeKind::ListType:
      return list(value, type);
    default:
      fail(value, type);
  }
}

}  // namespace

c10::IValue to_ivalue(const rkb_value& value, const c10::Argument& argument) {
  try {
    return convert(value, *argument.type());
  } catch (const c10::Error& error) {
    TORCH_CHECK(false, "argument '", argument.name(), "': ", error.what_without_backtrace());
  }
}

rkb_value& ResultValues::next(rkb_kind kind) {
  TORCH_CHECK(m_count < m_capacity, "the operator returns more than ", m_capacity, " values");
  rkb_value& value = m_values[m_count++];
  value = rkb_value{};
  value.kind = kind;
  return value;
}

void ResultValues::add(const c10::IValue& value) {
  if (value.isNone()) {
    next(RKB_NONE);
  } else if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    rkb_value& slot = next(RKB_NONE);
    if (!tensor.defined()) return;
    slot.as.tensor = as_table(tensor);
    slot.kind = RKB_TENSOR;
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) add(tensor);
  } else if (value.isInt()) {
    next(RKB_INT).as.integer = value.toInt();
  } else if (value.isDouble()) {
    next(RKB_DOUBLE).as.real = value.toDouble();
  } else if (value.isBool()) {
    next(RKB_BOOLEAN).as.integer = value.toBool() ? 1 : 0;
  } else {
    TORCH_CHECK(false, "the operator returns a ", value.tagKind(), ", which has no counterpart");
  }
}

void ResultValues::drop() {
  for (std::int32_t i = 0; i < m_count; ++i) {
    if (m_values[i].kind == RKB_TENSOR) table().release(m_values[i].as.tensor);
  }
  m_count = 0;
}

}  // namespace robust_kbench
