#include <atomic>
#include <string>
#include <vector>

#include "shim/python/value.hpp"
#include <robust_kbench/python/caster.h>
#include <robust_kbench/python/object.h>

namespace rkb {

struct Object::Data {
  std::atomic<int> owners{1};
  rkb_value value{};  // a tensor has a reference of its own
  std::string string;
  std::vector<Object> items;
  std::vector<rkb_value> item_values;  // values of `items` at the last call of value()

  ~Data() {
    if (value.kind == RKB_TENSOR) table->release(value.as.tensor);
  }
};

void cast_failed(const char* wanted) {
  TORCH_CHECK_TYPE(false, "Unable to cast Python instance to C++ type '", wanted, "'");
  __builtin_unreachable();
}

Object::Object(const rkb_value& value) {
  if (value.kind == RKB_NONE) return;
  Object made;
  made.m_data = new Data;
  Data& data = *made.m_data;
  data.value = value;
  if (value.kind == RKB_TENSOR) table->retain(value.as.tensor);
  if (value.kind == RKB_STRING) data.string = value.as.string;
  if (Caster<Tuple>::accepts(value)) {
    data.value = make_value(RKB_TUPLE);
    for (std::int32_t i = 0; i < value.length; ++i) data.items.emplace_back(list_item(value, i));
  }
  std::swap(m_data, made.m_data);
}
Object::Object(bool value) : Object(to_value(value)) {}
Object::Object(long value) : Object(to_value(std::int64_t{value})) {}
Object::Object(double value) : Object(to_value(value)) {}
Object::Object(const char* value) : Object(to_value(value)) {}
Object::Object(const Tensor& value) {
  if (!value.defined()) return;
  Object made;
  made.m_data = new Data;
  made.m_data->value.as.tensor = to_table(value);
  made.m_data->value.kind = RKB_TENSOR;
  std::swap(m_data, made.m_data);
}
Object::Object(const Scalar& value) : Object(to_value(value)) {}
Object::Object(ScalarType value) : Object(to_value(value)) {}
Object::Object(Device value) : Object(to_value(value)) {}
Object::Object(IntArrayRef value) : Object(to_value(value)) {}

Object::Object(const Object& other) noexcept : m_data(other.m_data) {
  if (m_data != nullptr) ++m_data->owners;
}
Object::~Object() {
  if (m_data != nullptr && --m_data->owners == 0) delete m_data;
}

rkb_value Object::value() const {
  if (m_data == nullptr) return make_value(RKB_NONE);
  rkb_value seen = m_data->value;
  if (seen.kind == RKB_STRING) seen.as.string = m_data->string.c_str();
  if (seen.kind != RKB_TUPLE) return seen;
  m_data->item_values.clear();
  for (const Object& item : m_data->items) m_data->item_values.push_back(item.value());
  return to_value(m_data->item_values);
}

Tuple::Tuple(std::size_t size) {
  m_data = new Data;
  m_data->value = make_value(RKB_TUPLE);
  m_data->items.resize(size);
}
Tuple::Tuple(std::initializer_list<Object> items) : Tuple(std::size_t{0}) {
  m_data->items = items;
}
Tuple::Tuple(const Object& object) : Object(object) {
  if (m_data == nullptr || m_data->value.kind != RKB_TUPLE) cast_failed("tuple");
}

Object& Tuple::operator[](std::size_t index) const {
  return m_data->items.at(index);
}
Object* Tuple::begin() const {
  return m_data->items.data();
}
Object* Tuple::end() const {
  return begin() + m_data->items.size();
}
void Tuple::append(const Object& item) {
  m_data->items.push_back(item);
}

}  // namespace rkb
