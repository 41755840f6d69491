#pragma once

#include <string>
#include <vector>

#include <robust_kbench/facade/boxed.h>

// The few Python objects that a kernel's signature can name: what a caller passes that is no tensor
// and no number. There is no Python behind them.
namespace rkb {

template <typename T>
struct Caster;

// Makes an Exception that names the wanted type and what was there.
[[noreturn]] RKB_COLD inline void cast_failed(const char* wanted) {
  fail<TypeError>("Unable to cast Python instance to C++ type '", wanted, "'");
}

class Object {
 public:
  Object() = default;
  Object(const rkb_value& value) : m_value(value) {
    if (value.kind == RKB_TENSOR) m_tensor = Tensor::borrow(value.as.tensor);
    if (value.kind == RKB_STRING) m_string = value.as.string;
    if (value.kind == RKB_TUPLE) {
      for (std::int32_t i = 0; i < value.length; ++i) m_items.emplace_back(value.as.items[i]);
    }
    if (value.kind == RKB_INT_LIST) {
      m_value.kind = RKB_TUPLE;
      for (std::int32_t i = 0; i < value.length; ++i) {
        m_items.emplace_back(make_value(RKB_INT, value.as.integers[i]));
      }
    }
    if (value.kind == RKB_DOUBLE_LIST) {
      m_value.kind = RKB_TUPLE;
      for (std::int32_t i = 0; i < value.length; ++i) {
        m_items.emplace_back(to_value(value.as.reals[i]));
      }
    }
  }

  bool is_none() const { return m_value.kind == RKB_NONE; }
  template <typename T>
  T cast() const;

  // What the caller sees. A tuple is only as long-lived as this object.
  const std::vector<Object>& items() const { return m_items; }
  const Tensor& tensor() const { return m_tensor; }
  rkb_value value() const {
    rkb_value value = m_value;
    if (value.kind == RKB_STRING) value.as.string = m_string.c_str();
    return value;
  }

 protected:
  rkb_value m_value{};
  Tensor m_tensor;
  std::string m_string;
  std::vector<Object> m_items;
};

class Tuple : public Object {
 public:
  Tuple() { m_value.kind = RKB_TUPLE; }
  explicit Tuple(std::size_t size) : Tuple() { m_items.resize(size); }
  Tuple(const Object& object) : Object(object) {
    if (m_value.kind != RKB_TUPLE) cast_failed("tuple");
  }

  std::size_t size() const { return m_items.size(); }
  bool empty() const { return m_items.empty(); }
  Object& operator[](std::size_t index) { return m_items.at(index); }
  const Object& operator[](std::size_t index) const { return m_items.at(index); }
  std::vector<Object>::const_iterator begin() const { return m_items.begin(); }
  std::vector<Object>::const_iterator end() const { return m_items.end(); }
  template <typename T>
  void append(const T& value);
};

// A list differs from a tuple in Python only.
class List : public Tuple {
 public:
  using Tuple::Tuple;
};

class None : public Object {};

}  // namespace rkb
