#pragma once

#include <kernel/robust_kbench_abi.h>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

namespace robust_kbench {

// Converts an argument to the type that the schema asks for. Throws c10::Error if its kind does not
// fit.
c10::IValue to_ivalue(const rkb_value& value, const c10::Argument& argument);

// An operator's results as the table's values. A list of tensors becomes one value for each tensor.
class ResultValues {
 public:
  ResultValues(rkb_value* values, std::int32_t capacity) : m_values(values), m_capacity(capacity) {}

  void add(const c10::IValue& value);
  // Releases the tensors that were added, after a later one has failed.
  void drop();
  [[nodiscard]] std::int32_t count() const { return m_count; }

 private:
  rkb_value& next(rkb_kind kind);

  rkb_value* m_values;
  std::int32_t m_capacity;
  std::int32_t m_count = 0;
};

}  // namespace robust_kbench
