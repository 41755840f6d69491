#pragma once

#include <vector>

#include "ipc/message.hpp"
#include "worker/kernel_memory.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {

// The arguments of one call as the table's values, with everything that they point to.
class Arguments {
 public:
  Arguments(const Call& call, KernelMemory& memory);
  Arguments(Arguments&&) noexcept = default;
  Arguments& operator=(Arguments&&) noexcept = default;

  [[nodiscard]] const std::vector<rkb_value>& values() const { return m_values; }

 private:
  rkb_value convert(const ArgumentValue& argument, KernelMemory& memory);

  std::vector<rkb_value> m_values;
  std::vector<TensorReference> m_tensors;
  // Moving a vector keeps the address of its elements, which the values hold.
  std::vector<std::vector<rkb_value>> m_tuples;
  std::vector<IntegerList> m_lists;
};

}  // namespace robust_kbench
