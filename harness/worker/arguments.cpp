#include "worker/arguments.hpp"

#include <span>
#include <string>
#include <type_traits>

#include "runner/serve.hpp"

namespace robust_kbench {
namespace {

TensorLayout layout_in(const KernelMemory& memory, std::span<const std::int64_t> sizes,
                       std::span<const std::int64_t> strides, int dtype) {
  return {.sizes = sizes,
          .strides = strides,
          .dtype = dtype,
          .device_type = memory.on_gpu() ? RKB_CUDA : RKB_CPU,
          .device_index = memory.on_gpu() ? 0 : -1};
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

rkb_tensor* make_input(const TensorRef& ref, KernelMemory& memory) {
  const TensorLayout layout = layout_in(memory, ref.sizes, ref.strides, ref.dtype);
  const std::size_t bytes = layout_bytes(layout).value_or(0);
  return make_tensor(memory.input(ref.offset, bytes, element_size(ref.dtype)), layout);
}

}  // namespace

Arguments::Arguments(const Call& call, KernelMemory& memory) {
  for (const ArgumentValue& argument : call.arguments) {
    m_values.push_back(convert(argument, memory));
  }
}

rkb_value Arguments::convert(const ArgumentValue& argument, KernelMemory& memory) {
  rkb_value result{};
  std::visit(
      [&](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, None>) {
          result.kind = RKB_NONE;
        } else if constexpr (std::is_same_v<Value, TensorRef>) {
          result.kind = RKB_TENSOR;
          m_tensors.emplace_back(make_input(value, memory));
          result.as.tensor = m_tensors.back().get();
        } else if constexpr (std::is_same_v<Value, bool>) {
          result.kind = RKB_BOOLEAN;
          result.as.integer = value ? 1 : 0;
        } else if constexpr (std::is_same_v<Value, std::int64_t>) {
          result.kind = RKB_INT;
          result.as.integer = value;
        } else if constexpr (std::is_same_v<Value, double>) {
          result.kind = RKB_DOUBLE;
          result.as.real = value;
        } else if constexpr (std::is_same_v<Value, IntegerList>) {
          result.kind = RKB_INT_LIST;
          m_lists.push_back(value);
          result.length = static_cast<std::int32_t>(value.size());
          result.as.integers = m_lists.back().data();
        } else if constexpr (std::is_same_v<Value, OutputTensor>) {
          m_outputs.push_back({.position = m_values.size(),
                               .sizes = value.sizes,
                               .strides = contiguous_strides(value.sizes),
                               .dtype = value.dtype});
        } else {
          static_assert(std::is_same_v<Value, ArgumentTuple>);
          std::vector<rkb_value> items;
          items.reserve(value.size());
          for (const ArgumentValue& item : value) items.push_back(convert(item, memory));
          m_tuples.push_back(std::move(items));
          result.kind = RKB_TUPLE;
          result.length = static_cast<std::int32_t>(value.size());
          result.as.items = m_tuples.back().data();
        }
      },
      argument.value);
  return result;
}

void Arguments::make_outputs(KernelMemory& memory, std::vector<rkb_value>& results) {
  for (const Output& output : m_outputs) {
    const TensorLayout layout = layout_in(memory, output.sizes, output.strides, output.dtype);
    const std::size_t bytes = layout_bytes(layout).value();
    std::byte* storage = memory.allocate(bytes);
    if (storage == nullptr) {
      throw SubjectError(Failure::out_of_memory,
                         "no room for an output of " + std::to_string(bytes) + " bytes");
    }
    rkb_value& value = m_values[output.position];
    value.kind = RKB_TENSOR;
    value.as.tensor = make_tensor(storage, layout);
    results.push_back(value);
  }
}

}  // namespace robust_kbench
