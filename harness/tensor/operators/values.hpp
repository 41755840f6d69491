#pragma once

#include <kernel/robust_kbench_abi.h>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

namespace robust_kbench {

// An argument as the schema wants it. Throws c10::Error where its kind does not fit.
c10::IValue to_ivalue(const rkb_value& value, const c10::Argument& argument);

// Results of an operator as the table's values; lists of tensors are spread.
class ResultValues {
 public:
  ResultValues(rkb_value* values, std::int32_t capacity) : m_values(values), m_capacity(capacity) {}

  void add(const c10::IValue& value);
  // Gives back the tensors that were added, where a later one failed.
  void drop();
  [[nodiscard]] std::int32_t count() const { return m_count; }

 private:
  rkb_value& next(rkb_kind kind);

  rkb_value* m_values;
  std::int32_t m_capacity;
  std::int32_t m_count = 0;
};

}  // namespace robust_kbench
