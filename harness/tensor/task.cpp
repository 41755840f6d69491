#include "core/error.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

TensorSpec absent(std::string name) {
  return {.name = std::move(name), .present = false};
}

const at::Tensor& Tensors::operator[](const std::string& name) const {
  const auto it = m_tensors.find(name);
  if (it != m_tensors.end()) return it->second;
  std::string known;
  for (const auto& [other, unused] : m_tensors) known += (known.empty() ? "" : ", ") + other;
  throw UserError("tensor '" + name + "' is none of this call; known: " + known);
}

Argument tensor(std::string name) {
  return {.kind = Argument::Kind::tensor, .names = {std::move(name)}};
}

Argument tensor_tuple(std::vector<std::string> names) {
  return {.kind = Argument::Kind::tensor_tuple, .names = std::move(names)};
}

Argument parameter(std::string name) {
  return {.kind = Argument::Kind::parameter, .names = {std::move(name)}};
}

Argument integer_list(std::vector<std::int64_t> values) {
  return {.kind = Argument::Kind::integers, .integers = std::move(values)};
}

Argument literal(std::string name, ParamValue value) {
  return {.kind = Argument::Kind::literal, .names = {std::move(name)}, .value = std::move(value)};
}

}  // namespace robust_kbench
