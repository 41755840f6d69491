#pragma once

#include <initializer_list>

#include <robust_kbench/cold.h>
#include <robust_kbench/table.h>
#include <robust_kbench/types.h>

// The few Python objects that a kernel's signature can have besides tensors and numbers. There is
// no Python behind them.
namespace rkb {

template <typename T>
struct Caster;

[[noreturn]] RKB_COLD void cast_failed(const char* wanted);

// Copies share their content, as in Python.
class Object {
 public:
  Object() = default;  // None
  Object(const rkb_value& value);
  Object(bool value);
  Object(int value) : Object(static_cast<long>(value)) {}
  Object(unsigned value) : Object(static_cast<long>(value)) {}
  Object(long value);
  Object(unsigned long value) : Object(static_cast<long>(value)) {}
  Object(long long value) : Object(static_cast<long>(value)) {}
  Object(unsigned long long value) : Object(static_cast<long>(value)) {}
  Object(float value) : Object(static_cast<double>(value)) {}
  Object(double value);
  Object(const char* value);
  Object(const Tensor& value);
  Object(const Scalar& value);
  Object(ScalarType value);
  Object(Device value);
  Object(IntArrayRef value);
#ifndef RKB_WITHOUT_OPERATORS
  Object(nullopt_t) {}
  template <typename T>
  Object(const optional<T>& value) : Object(value.has_value() ? Object(*value) : Object()) {}
#endif
#ifndef RKB_WITHOUT_STRING
  Object(const std::string& value) : Object(value.c_str()) {}
#endif
#ifndef RKB_WITHOUT_VECTOR
  Object(const std::vector<std::int64_t>& value) : Object(IntArrayRef(value)) {}
#endif
  Object(const Object& other) noexcept;
  Object(Object&& other) noexcept : m_data(std::exchange(other.m_data, nullptr)) {}
  Object& operator=(Object other) noexcept {
    std::swap(m_data, other.m_data);
    return *this;
  }
  ~Object();

  bool is_none() const {
    return m_data == nullptr;
  }
  template <typename T>
  T cast() const;

  // The value for the caller. It lives as long as this object.
  rkb_value value() const;

 protected:
  struct Data;
  Data* m_data = nullptr;
};

class Tuple : public Object {
 public:
  explicit Tuple(std::size_t size = 0);
  Tuple(std::initializer_list<Object> items);
  Tuple(const Object& object);

  std::size_t size() const { return static_cast<std::size_t>(end() - begin()); }
  bool empty() const { return size() == 0; }
  Object& operator[](std::size_t index) const;
  Object* begin() const;
  Object* end() const;
  void append(const Object& item);
};

// Lists and tuples differ only in Python.
class List : public Tuple {
 public:
  using Tuple::Tuple;
};

class None : public Object {};

template <typename... T>
Tuple make_tuple(const T&... values) {
  return Tuple({Object(values)...});
}

template <typename T>
T Object::cast() const {
  if constexpr (std::is_base_of_v<Object, T>) {
    return T(*this);
  } else {
    const rkb_value seen = value();
    if (!Caster<T>::accepts(seen)) cast_failed(Caster<T>::name);
    return Caster<T>::load(seen);
  }
}

}  // namespace rkb
