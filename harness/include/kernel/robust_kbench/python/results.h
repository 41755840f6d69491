#pragma once

#include <robust_kbench/python/caster.h>

namespace rkb {

// Collects a kernel's results. The caller gets each tensor's reference.
class Results {
 public:
  Results(rkb_value* values, std::int32_t capacity) : m_values(values), m_capacity(capacity) {}

  std::int32_t count() const { return m_count; }
  // Releases the stored results, after a later one failed.
  void drop();

  void add(Tensor tensor);
  void add(const Object& object);
#ifndef RKB_WITHOUT_OPERATORS
  template <typename T>
  void add(const optional<T>& value) {
    value.has_value() ? add(*value) : add(Object());
  }
#endif
#ifndef RKB_WITHOUT_VECTOR
  template <typename T>
  void add(const std::vector<T>& values) {
    for (const T& value : values) add(value);
  }
#endif
#ifndef RKB_WITHOUT_TUPLE
  template <typename T, std::size_t N>
  void add(const std::array<T, N>& values) {
    for (const T& value : values) add(value);
  }
  template <typename... T>
  void add(const std::tuple<T...>& values) {
    std::apply([this](const auto&... value) { (add(value), ...); }, values);
  }
#endif
  template <typename A, typename B>
  void add(const std::pair<A, B>& values) {
    add(values.first);
    add(values.second);
  }

 private:
  rkb_value& next(const rkb_value& value);
  void add_value(const rkb_value& value);

  rkb_value* m_values;
  std::int32_t m_capacity;
  std::int32_t m_count = 0;
};

}  // namespace rkb
