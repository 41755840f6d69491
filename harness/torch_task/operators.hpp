#pragma once

#include <string_view>

namespace robust_kbench {

// Whether a package's graph may call this operator of torch, named as in its schema, without the
// overload: "aten::linear". Permitted operators compute tensors from tensors and numbers, and check
// their arguments. None draws random numbers, opens files, or makes tensors of foreign memory.
bool is_permitted_operator(std::string_view name);

// The operator's name without namespace, overload and underscore: "aten::relu_" and
// "aten::relu.out" are "relu". Names such as "__and__" stay.
std::string_view base_name_of_operator(std::string_view full_name);

enum class OperatorKind {
  elementwise,  // an element of the result depends on the same element of each tensor
  shape,        // elements are moved, repeated or left out
  other,
};

// `name` may have an overload.
OperatorKind kind_of_operator(std::string_view name);

}  // namespace robust_kbench
