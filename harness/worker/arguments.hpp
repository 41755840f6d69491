#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipc/message.hpp"
#include "worker/kernel_memory.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {

// The arguments of one call as the table's values, with all that they point to.
class Arguments {
 public:
  Arguments() = default;  // none
  Arguments(const Call& call, KernelMemory& memory);
  Arguments(Arguments&&) noexcept = default;
  Arguments& operator=(Arguments&&) noexcept = default;

  [[nodiscard]] const std::vector<rkb_value>& values() const { return m_values; }

  // Makes new tensors for the arguments that are outputs, and appends them to `results`, which owns
  // them. Call it before each call of the kernel. Throws SubjectError if there is no room.
  void make_outputs(KernelMemory& memory, std::vector<rkb_value>& results);

 private:
  // An argument that is an output.
  struct Output {
    std::size_t position;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    int dtype;
  };

  rkb_value convert(const ArgumentValue& argument, KernelMemory& memory);

  std::vector<rkb_value> m_values;
  std::vector<TensorReference> m_tensors;
  // Values point to elements of these vectors, which keep their addresses when a vector is moved.
  std::vector<std::vector<rkb_value>> m_tuples;
  std::vector<IntegerList> m_lists;
  std::vector<Output> m_outputs;
};

}  // namespace robust_kbench
