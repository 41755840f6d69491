#pragma once

#include <robust_kbench/facade/caster.h>

namespace rkb {

// Where a kernel's results go; each tensor's reference passes to the caller.
class Results {
 public:
  Results(rkb_value* values, std::int32_t capacity) : m_values(values), m_capacity(capacity) {}

  std::int32_t count() const { return m_count; }
  // Gives back what was stored, where a later result failed.
  void drop() {
    for (std::int32_t i = 0; i < m_count; ++i) {
      if (m_values[i].kind == RKB_TENSOR) table->release(m_values[i].as.tensor);
    }
    m_count = 0;
  }

  void add(Tensor tensor) {
    rkb_value& slot = next(to_value(tensor));
    slot.as.tensor = tensor.release();
  }
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  void add(T number) {
    next(to_object(number).value());
  }
  void add(std::nullopt_t) { next(make_value(RKB_NONE)); }
  void add(const Object& object) {
    const rkb_value value = object.value();
    if (value.kind == RKB_TENSOR) return add(object.tensor());
    if (value.kind != RKB_TUPLE) {
      next(value);
      return;
    }
    for (const Object& item : object.items()) add(item);
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    value.has_value() ? add(*value) : add(nullopt);
  }
  template <typename T>
  void add(const std::vector<T>& values) {
    for (const T& value : values) add(value);
  }
  template <typename T, std::size_t N>
  void add(const std::array<T, N>& values) {
    for (const T& value : values) add(value);
  }
  template <typename... T>
  void add(const std::tuple<T...>& values) {
    std::apply([this](const auto&... value) { (add(value), ...); }, values);
  }
  template <typename A, typename B>
  void add(const std::pair<A, B>& values) {
    add(values.first);
    add(values.second);
  }

 private:
  rkb_value& next(const rkb_value& value) {
    TORCH_CHECK(m_count < m_capacity, "the function returned more than ", m_capacity, " values");
    m_values[m_count] = value;
    return m_values[m_count++];
  }

  rkb_value* m_values;
  std::int32_t m_capacity;
  std::int32_t m_count = 0;
};

}  // namespace rkb
