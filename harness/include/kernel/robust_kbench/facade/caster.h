#pragma once

#include <array>
#include <climits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <robust_kbench/facade/python_object.h>

// From the table's values to a kernel's parameters and from its results back. A caster's `kind` and
// `optional` describe the parameter; `accepts` decides, `load` converts.
namespace rkb {

inline bool accepts_integer(const rkb_value& value) {
  return value.kind == RKB_INT || value.kind == RKB_BOOLEAN;
}

template <>
struct Caster<Tensor> {
  static constexpr rkb_kind kind = RKB_TENSOR;
  static constexpr bool optional = false;
  static constexpr const char* name = "Tensor";
  static bool accepts(const rkb_value& value) { return value.kind == RKB_TENSOR; }
  static Tensor load(const rkb_value& value) {
    return value.kind == RKB_NONE ? Tensor() : Tensor::borrow(value.as.tensor);
  }
};

template <typename T>
struct IntegerCaster {
  static constexpr rkb_kind kind = RKB_INT;
  static constexpr bool optional = false;
  static constexpr const char* name = "int";
  static bool accepts(const rkb_value& value) {
    if (!accepts_integer(value)) return false;
    if constexpr (std::is_unsigned_v<T>) {
      if (value.as.integer < 0) return false;
    }
    return static_cast<std::int64_t>(static_cast<T>(value.as.integer)) == value.as.integer;
  }
  static T load(const rkb_value& value) { return static_cast<T>(value.as.integer); }
};
template <>
struct Caster<int> : IntegerCaster<int> {};
template <>
struct Caster<long> : IntegerCaster<long> {};
template <>
struct Caster<long long> : IntegerCaster<long long> {};
template <>
struct Caster<short> : IntegerCaster<short> {};
template <>
struct Caster<unsigned> : IntegerCaster<unsigned> {};
template <>
struct Caster<unsigned long> : IntegerCaster<unsigned long> {};
template <>
struct Caster<unsigned long long> : IntegerCaster<unsigned long long> {};

template <typename T>
struct RealCaster {
  static constexpr rkb_kind kind = RKB_DOUBLE;
  static constexpr bool optional = false;
  static constexpr const char* name = "float";
  static bool accepts(const rkb_value& value) {
    return value.kind == RKB_DOUBLE || accepts_integer(value);
  }
  static T load(const rkb_value& value) {
    return static_cast<T>(value.kind == RKB_DOUBLE ? value.as.real
                                                   : static_cast<double>(value.as.integer));
  }
};
template <>
struct Caster<double> : RealCaster<double> {};
template <>
struct Caster<float> : RealCaster<float> {};

template <>
struct Caster<bool> {
  static constexpr rkb_kind kind = RKB_BOOLEAN;
  static constexpr bool optional = false;
  static constexpr const char* name = "bool";
  static bool accepts(const rkb_value& value) { return accepts_integer(value); }
  static bool load(const rkb_value& value) { return value.as.integer != 0; }
};

template <>
struct Caster<Scalar> {
  static constexpr rkb_kind kind = RKB_DOUBLE;
  static constexpr bool optional = false;
  static constexpr const char* name = "Number";
  static bool accepts(const rkb_value& value) { return Caster<double>::accepts(value); }
  static Scalar load(const rkb_value& value) {
    if (value.kind == RKB_DOUBLE) return value.as.real;
    return value.kind == RKB_BOOLEAN ? Scalar(value.as.integer != 0) : Scalar(value.as.integer);
  }
};

template <>
struct Caster<std::string> {
  static constexpr rkb_kind kind = RKB_STRING;
  static constexpr bool optional = false;
  static constexpr const char* name = "str";
  static bool accepts(const rkb_value& value) { return value.kind == RKB_STRING; }
  static std::string load(const rkb_value& value) { return value.as.string; }
};

template <>
struct Caster<ScalarType> {
  static constexpr rkb_kind kind = RKB_DTYPE;
  static constexpr bool optional = false;
  static constexpr const char* name = "torch.dtype";
  static bool accepts(const rkb_value& value) { return value.kind == RKB_DTYPE; }
  static ScalarType load(const rkb_value& value) {
    return static_cast<ScalarType>(value.as.integer);
  }
};

template <>
struct Caster<Device> {
  static constexpr rkb_kind kind = RKB_DEVICE;
  static constexpr bool optional = false;
  static constexpr const char* name = "torch.device";
  static bool accepts(const rkb_value& value) { return value.kind == RKB_DEVICE; }
  static Device load(const rkb_value& value) {
    return {static_cast<DeviceType>(value.as.integer & 0xffffffff),
            static_cast<DeviceIndex>(value.as.integer >> 32)};
  }
};

template <typename T>
struct Caster<std::optional<T>> {
  static constexpr rkb_kind kind = Caster<T>::kind;
  static constexpr bool optional = true;
  static constexpr const char* name = Caster<T>::name;
  static bool accepts(const rkb_value& value) {
    return value.kind == RKB_NONE || Caster<T>::accepts(value);
  }
  static std::optional<T> load(const rkb_value& value) {
    if (value.kind == RKB_NONE) return std::nullopt;
    return Caster<T>::load(value);
  }
};

// Lists of numbers and of tensors; a Python list arrives as a list of numbers or as a tuple.
template <typename T>
constexpr rkb_kind list_kind = std::is_integral_v<T>         ? RKB_INT_LIST
                               : std::is_floating_point_v<T> ? RKB_DOUBLE_LIST
                                                             : RKB_TUPLE;
template <typename T>
struct Caster<std::vector<T>> {
  static constexpr rkb_kind kind = list_kind<T>;
  static constexpr bool optional = false;
  static constexpr const char* name = "list";
  static rkb_value item(const rkb_value& list, std::int32_t index) {
    if (list.kind == RKB_INT_LIST) return to_value(list.as.integers[index]);
    if (list.kind == RKB_DOUBLE_LIST) return to_value(list.as.reals[index]);
    return list.as.items[index];
  }
  static bool accepts(const rkb_value& value) {
    if (value.kind != RKB_INT_LIST && value.kind != RKB_DOUBLE_LIST && value.kind != RKB_TUPLE) {
      return false;
    }
    for (std::int32_t i = 0; i < value.length; ++i) {
      if (!Caster<T>::accepts(item(value, i))) return false;
    }
    return true;
  }
  static std::vector<T> load(const rkb_value& value) {
    std::vector<T> result;
    result.reserve(static_cast<std::size_t>(value.length));
    for (std::int32_t i = 0; i < value.length; ++i) {
      result.push_back(Caster<T>::load(item(value, i)));
    }
    return result;
  }
};

// An ArrayRef parameter is handed a vector that lives through the call.
template <typename T>
struct Caster<ArrayRef<T>> : Caster<std::vector<T>> {};

template <typename T, std::size_t N>
struct Caster<std::array<T, N>> : Caster<std::vector<T>> {
  static bool accepts(const rkb_value& value) {
    return Caster<std::vector<T>>::accepts(value) && value.length == static_cast<int>(N);
  }
  static std::array<T, N> load(const rkb_value& value) {
    std::array<T, N> result{};
    for (std::size_t i = 0; i < N; ++i) {
      result[i] =
          Caster<T>::load(Caster<std::vector<T>>::item(value, static_cast<std::int32_t>(i)));
    }
    return result;
  }
};

template <typename... T>
struct Caster<std::tuple<T...>> {
  static constexpr rkb_kind kind = RKB_TUPLE;
  static constexpr bool optional = false;
  static constexpr const char* name = "tuple";
  using Items = std::index_sequence_for<T...>;
  static bool accepts(const rkb_value& value) {
    return value.kind == RKB_TUPLE && value.length == static_cast<int>(sizeof...(T)) &&
           accepts_items(value, Items());
  }
  static std::tuple<T...> load(const rkb_value& value) { return load_items(value, Items()); }

 private:
  template <std::size_t... I>
  static bool accepts_items(const rkb_value& value, std::index_sequence<I...>) {
    return (Caster<T>::accepts(value.as.items[I]) && ...);
  }
  template <std::size_t... I>
  static std::tuple<T...> load_items(const rkb_value& value, std::index_sequence<I...>) {
    return {Caster<T>::load(value.as.items[I])...};
  }
};

template <typename T>
struct ObjectCaster {
  static constexpr rkb_kind kind = RKB_TUPLE;
  static constexpr bool optional = false;
  static constexpr const char* name = "tuple";
  static bool accepts(const rkb_value& value) {
    return value.kind == RKB_TUPLE || value.kind == RKB_INT_LIST || value.kind == RKB_DOUBLE_LIST;
  }
  static T load(const rkb_value& value) { return Object(value); }
};
template <>
struct Caster<Tuple> : ObjectCaster<Tuple> {};
template <>
struct Caster<List> {
  static constexpr rkb_kind kind = RKB_TUPLE;
  static constexpr bool optional = false;
  static constexpr const char* name = "list";
  static bool accepts(const rkb_value& value) { return ObjectCaster<Tuple>::accepts(value); }
  static List load(const rkb_value& value) { return List(Object(value)); }
};
template <>
struct Caster<Object> {
  static constexpr rkb_kind kind = RKB_NONE;
  static constexpr bool optional = true;
  static constexpr const char* name = "object";
  static bool accepts(const rkb_value&) { return true; }
  static Object load(const rkb_value& value) { return value; }
};

template <typename T>
T Object::cast() const {
  if constexpr (std::is_base_of_v<Object, T>) return T(*this);
  if (m_value.kind == RKB_TUPLE) {
    std::vector<rkb_value> items;
    for (const Object& item : m_items) {
      if (item.value().kind == RKB_TUPLE) cast_failed("nested tuple");
      items.push_back(item.value());
    }
    rkb_value tuple = rkb::to_value(items);
    if (!Caster<T>::accepts(tuple)) cast_failed(Caster<T>::name);
    return Caster<T>::load(tuple);
  }
  if (!Caster<T>::accepts(value())) cast_failed(Caster<T>::name);
  return Caster<T>::load(value());
}

inline Object to_object(const Object& object) {
  return object;
}
template <typename T>
Object to_object(const T& value) {
  if constexpr (std::is_convertible_v<const T&, const Object&>) {
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    return to_value(value);
  } else if constexpr (std::is_integral_v<T>) {
    return to_value(static_cast<std::int64_t>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return to_value(static_cast<double>(value));
  } else if constexpr (std::is_convertible_v<const T&, std::string>) {
    return to_value(std::string(value).c_str());
  } else if constexpr (std::is_same_v<T, std::nullopt_t>) {
    return Object();
  } else {
    return to_value(value);
  }
}

template <typename T>
void Tuple::append(const T& value) {
  m_items.push_back(to_object(value));
}
template <typename... T>
Tuple make_tuple(const T&... values) {
  Tuple tuple;
  (tuple.append(values), ...);
  return tuple;
}

}  // namespace rkb
