#pragma once

#include <string>
#include <vector>

#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// One parameter of a kernel's function, as C++ declares it.
struct KernelParameter {
  std::string type;  // "torch::Tensor", "py::tuple", "double"...
  std::string name;  // the task's; "tensors_2" or "integers_5" where the task has none
  Argument argument;
  bool is_output = false;  // a tensor that the kernel writes; the argument is that of its name
};

// The parameters of an entry's kernel in its order. A tensor that one of the `configs` leaves out
// is optional. The lists of integers are those of the first config. Throws UserError when the task
// has no backward.
std::vector<KernelParameter> kernel_signature(const Task& task, Direction direction,
                                              const std::vector<Params>& configs);

}  // namespace robust_kbench
