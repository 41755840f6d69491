#include "check/placement.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

// Such gaps vary over the cache sets of several pages, and stay small beside a tensor.
constexpr std::uint64_t max_gap_steps = 64;
// A tensor up to this size is poisoned together with the gaps at both its sides before it is
// written. On a GPU that costs less than another launch.
constexpr std::uint64_t small_tensor_bytes = std::uint64_t{256} << 10;

std::uint64_t align_down_to_word(std::uint64_t offset) {
  return offset / 8 * 8;
}

class Placer {
 public:
  Placer(const Arena& arena, const Workload& workload, std::size_t calls, CipherStream layout)
      : m_arena(arena),
        m_params(workload.params),
        m_arguments(workload.arguments()),
        m_outputs(workload.out_arguments()),
        m_layout(layout),
        m_next(arena.inputs_begin()) {
    m_placement.begin = m_next;
    m_placement.calls.resize(calls);
    leave_gap();
  }

  // A kernel that finds the tensors of other calls beside its own cannot know which call is next.
  void add_in_drawn_order(std::span<const Tensors> calls) {
    for (const std::size_t call : drawn_order(calls.size(), m_layout)) add(call, calls[call]);
  }

  Placement finish() {
    m_placement.kernel_begin = align_up(m_next, m_arena.alignment());
    return std::move(m_placement);
  }

 private:
  void add(std::size_t index, const Tensors& tensors) {
    m_refs.clear();
    m_call = index;
    Call& call = m_placement.calls.at(index);
    for (const Argument& argument : m_arguments) {
      call.arguments.push_back(argument_value(argument, tensors));
    }
    for (const OutArgument& output : m_outputs) {
      call.arguments.push_back(
          {OutputTensor{.sizes = output.shape, .dtype = static_cast<int>(output.dtype)}});
    }
  }

  ArgumentValue argument_value(const Argument& argument, const Tensors& tensors) {
    switch (argument.kind) {
      case Argument::Kind::tensor:
        return tensor_value(argument.names.at(0), tensors);
      case Argument::Kind::tensor_tuple: {
        ArgumentTuple tuple;
        for (const std::string& name : argument.names) tuple.push_back(tensor_value(name, tensors));
        return {std::move(tuple)};
      }
      case Argument::Kind::parameter:
      case Argument::Kind::literal:
        return parameter_value(argument);
      case Argument::Kind::integers:
        break;
    }
    return {argument.integers};
  }

  ArgumentValue tensor_value(const std::string& name, const Tensors& tensors) {
    const at::Tensor& tensor = tensors[name];
    if (!tensor.defined()) return {None{}};
    const auto known = m_refs.find(name);
    if (known != m_refs.end()) return {known->second};
    return {m_refs[name] = put(name, tensor.contiguous())};
  }

  TensorRef put(const std::string& name, const at::Tensor& tensor) {
    const PlacedTensor placed{.name = name,
                              .call = m_call,
                              .offset = align_up(m_next, m_arena.alignment()),
                              .bytes = tensor.nbytes(),
                              .pristine = tensor};
    m_next = placed.end();
    leave_gap();
    if (m_next + poison_ahead_bytes > m_arena.size()) {
      throw HarnessError("arena of " + std::to_string(m_arena.size()) +
                         " bytes: the inputs of call " + std::to_string(placed.call) +
                         " of the batch end at " + std::to_string(m_next) +
                         "; give the worker a larger arena or smaller batches");
    }
    m_placement.tensors.push_back(placed);
    return {.offset = placed.offset,
            .sizes = tensor.sizes().vec(),
            .strides = tensor.strides().vec(),
            .dtype = static_cast<int>(tensor.scalar_type()),
            .device_type = static_cast<int>(tensor.device().type())};
  }

  ArgumentValue parameter_value(const Argument& argument) const {
    const ParamValue& value = value_of(argument, m_params);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return {*integer};
    if (const auto* real = std::get_if<double>(&value)) return {*real};
    if (const auto* boolean = std::get_if<bool>(&value)) return {*boolean};
    throw UserError("parameter '" + argument.names.at(0) +
                    "' is a text, which no kernel can be handed");
  }

  void leave_gap() {
    const std::size_t step = m_arena.alignment();
    m_next = align_up(m_next + m_arena.guard_bytes(), step) + m_layout.below(max_gap_steps) * step;
  }

  const Arena& m_arena;
  const Params& m_params;
  const std::vector<Argument> m_arguments;
  const std::vector<OutArgument> m_outputs;
  CipherStream m_layout;
  std::uint64_t m_next;
  std::size_t m_call = 0;  // that is being added
  Placement m_placement;
  std::map<std::string, TensorRef> m_refs;  // tensors of the call; one may be two arguments
};

}  // namespace

Placement place(const Arena& arena, const Workload& workload, std::span<const Tensors> calls,
                CipherStream layout) {
  Placer placer(arena, workload, calls.size(), layout);
  placer.add_in_drawn_order(calls);
  return placer.finish();
}

void poison_around(Arena& arena, const Placement& placement, std::uint64_t poison,
                   std::uint64_t kernel_bytes) {
  const std::uint64_t most = arena.size() / arena.alignment() * arena.alignment();
  const std::uint64_t until =
      std::min(most, align_up(placement.kernel_begin + kernel_bytes) + poison_ahead_bytes);
  std::uint64_t gap = placement.begin;
  for (const PlacedTensor& tensor : placement.tensors) {
    if (tensor.bytes <= small_tensor_bytes) continue;
    arena.poison(gap, tensor.offset, poison);
    // The next gap includes the word in which the tensor ends, since the bytes after the tensor's
    // last one belong to the gap.
    gap = align_down_to_word(tensor.end());
  }
  arena.poison(gap, until, poison);
  arena.header() = {.size = arena.size(),
                    .kernel_begin = placement.kernel_begin,
                    .poisoned_until = until,
                    .poison = poison,
                    .cursor = placement.kernel_begin,
                    .allocation_count = 0};
}

void write_inputs(Arena& arena, const Placement& placement) {
  for (const PlacedTensor& tensor : placement.tensors) {
    arena.write(tensor.offset, tensor.pristine.const_data_ptr(), tensor.bytes);
  }
  arena.synchronize();
}

}  // namespace robust_kbench
