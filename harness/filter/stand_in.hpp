#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/call_checker.hpp"
#include "core/case.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// A substitute for a kernel, given by its answers. Tests should reject most of them.
struct StandIn {
  std::string name;                  // "zeros as y"
  std::vector<std::size_t> outputs;  // the outputs that it answers, and that are judged
  // Its answers on one case, in the order of `outputs`, each of any dtype and with the reference's
  // elements. Throws c10::Error or UserError where it has no answer.
  std::function<std::vector<at::Tensor>(const Case& of, const Content& content)> answer;
  // Set for the operator without one of its nodes, which may be one that does nothing.
  std::optional<std::size_t> node = {};
};

// The indices of a subject's outputs.
std::vector<std::size_t> all_outputs(const FilterSubject& subject);

// Kernels that answer for each output 0, 1, its mean in other calls, and its value in another call.
// Others answer with a copy of a tensor that has as many elements.
std::vector<StandIn> constant_kernels(const FilterSubject& subject);

// The forward of an imported task without each of its nodes. Empty for linked tasks.
std::vector<StandIn> kernels_without_a_node(const FilterSubject& subject);

// Torch in arithmetic that is coarser than float32: all of it in bfloat16, and factors of products
// in bfloat16 or TF32 where there are products. Empty where the task itself is not in float32.
std::vector<StandIn> coarse_kernels(const FilterSubject& subject);

}  // namespace robust_kbench
