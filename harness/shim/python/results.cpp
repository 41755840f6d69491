#include <utility>

#include "shim/python/value.hpp"
#include <robust_kbench/python/results.h>

namespace rkb {

void Results::drop() {
  for (std::int32_t i = 0; i < m_count; ++i) {
    if (m_values[i].kind == RKB_TENSOR) table->release(m_values[i].as.tensor);
  }
  m_count = 0;
}

void Results::add(Tensor tensor) {
  rkb_value& slot = next(make_value(RKB_NONE));
  if (!tensor.defined()) return;
  slot.as.tensor = to_table(std::move(tensor));
  slot.kind = RKB_TENSOR;
}

void Results::add(const Object& object) {
  add_value(object.value());
}

// The items of a tuple are results themselves.
void Results::add_value(const rkb_value& value) {
  if (value.kind != RKB_TUPLE) {
    next(value);
    if (value.kind == RKB_TENSOR) table->retain(value.as.tensor);
    return;
  }
  for (std::int32_t i = 0; i < value.length; ++i) add_value(value.as.items[i]);
}

rkb_value& Results::next(const rkb_value& value) {
  TORCH_CHECK(m_count < m_capacity, "the function returned more than ", m_capacity, " values");
  m_values[m_count] = value;
  return m_values[m_count++];
}

}  // namespace rkb
