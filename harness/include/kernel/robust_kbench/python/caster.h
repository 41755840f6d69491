#pragma once

#include <utility>
#ifndef RKB_WITHOUT_TUPLE
#include <array>
#include <tuple>
#endif

#include <robust_kbench/python/object.h>

// Converts the table's values to a kernel's parameters. A caster's `kind` and `optional` describe
// the parameter. Its `accepts` checks a value, and `load` converts it.
namespace rkb {

#define RKB_DECLARE_CASTER(type, rkb_kind_of, python_name) \
  template <>                                              \
  struct Caster<type> {                                    \
    static constexpr rkb_kind kind = rkb_kind_of;          \
    static constexpr bool optional = false;                \
    static constexpr const char* name = python_name;       \
    static bool accepts(const rkb_value& value);           \
    static type load(const rkb_value& value);              \
  };
RKB_DECLARE_CASTER(Tensor, RKB_TENSOR, "Tensor")
RKB_DECLARE_CASTER(short, RKB_INT, "int")
RKB_DECLARE_CASTER(int, RKB_INT, "int")
RKB_DECLARE_CASTER(long, RKB_INT, "int")
RKB_DECLARE_CASTER(long long, RKB_INT, "int")
RKB_DECLARE_CASTER(unsigned, RKB_INT, "int")
RKB_DECLARE_CASTER(unsigned long, RKB_INT, "int")
RKB_DECLARE_CASTER(unsigned long long, RKB_INT, "int")
RKB_DECLARE_CASTER(float, RKB_DOUBLE, "float")
RKB_DECLARE_CASTER(double, RKB_DOUBLE, "float")
RKB_DECLARE_CASTER(bool, RKB_BOOLEAN, "bool")
RKB_DECLARE_CASTER(Scalar, RKB_DOUBLE, "Number")
RKB_DECLARE_CASTER(ScalarType, RKB_DTYPE, "torch.dtype")
RKB_DECLARE_CASTER(Device, RKB_DEVICE, "torch.device")
RKB_DECLARE_CASTER(Tuple, RKB_TUPLE, "tuple")
RKB_DECLARE_CASTER(List, RKB_TUPLE, "list")
#ifndef RKB_WITHOUT_STRING
RKB_DECLARE_CASTER(std::string, RKB_STRING, "str")
#endif
#undef RKB_DECLARE_CASTER

template <>
struct Caster<Object> {
  static constexpr rkb_kind kind = RKB_NONE;
  static constexpr bool optional = true;
  static constexpr const char* name = "object";
  static bool accepts(const rkb_value&) { return true; }
  static Object load(const rkb_value& value) { return value; }
};

#ifndef RKB_WITHOUT_OPERATORS
template <typename T>
struct Caster<optional<T>> {
  static constexpr rkb_kind kind = Caster<T>::kind;
  static constexpr bool optional = true;
  static constexpr const char* name = Caster<T>::name;
  static bool accepts(const rkb_value& value) {
    return value.kind == RKB_NONE || Caster<T>::accepts(value);
  }
  static rkb::optional<T> load(const rkb_value& value) {
    if (value.kind == RKB_NONE) return nullopt;
    return Caster<T>::load(value);
  }
};
#endif

// Lists of numbers and of tensors. A Python list arrives as a list of numbers or as a tuple.
template <typename T>
constexpr rkb_kind list_kind = std::is_integral_v<T>         ? RKB_INT_LIST
                               : std::is_floating_point_v<T> ? RKB_DOUBLE_LIST
                                                             : RKB_TUPLE;
bool is_list(const rkb_value& value);
bool accepts_list(const rkb_value& list, bool (*accepts_item)(const rkb_value&));
rkb_value list_item(const rkb_value& list, std::int32_t index);

template <typename T>
struct ListCaster {
  static constexpr rkb_kind kind = list_kind<T>;
  static constexpr bool optional = false;
  static constexpr const char* name = "list";
  static bool accepts(const rkb_value& value) { return accepts_list(value, &Caster<T>::accepts); }
};

#ifndef RKB_WITHOUT_TUPLE
template <typename T, std::size_t N>
struct Caster<std::array<T, N>> : ListCaster<T> {
  static bool accepts(const rkb_value& value) {
    return value.length == static_cast<int>(N) && ListCaster<T>::accepts(value);
  }
  static std::array<T, N> load(const rkb_value& value) {
    std::array<T, N> result{};
    for (std::size_t i = 0; i < N; ++i) {
      result[i] = Caster<T>::load(list_item(value, static_cast<std::int32_t>(i)));
    }
    return result;
  }
};

// Like pybind11, it takes any sequence of the right length.
template <typename... T>
struct Caster<std::tuple<T...>> {
  static constexpr rkb_kind kind = RKB_TUPLE;
  static constexpr bool optional = false;
  static constexpr const char* name = "tuple";
  using Items = std::index_sequence_for<T...>;
  static bool accepts(const rkb_value& value) {
    return is_list(value) && value.length == static_cast<int>(sizeof...(T)) &&
           accepts_items(value, Items());
  }
  static std::tuple<T...> load(const rkb_value& value) { return load_items(value, Items()); }

 private:
  template <std::size_t... I>
  static bool accepts_items(const rkb_value& value, std::index_sequence<I...>) {
    return (Caster<T>::accepts(list_item(value, I)) && ...);
  }
  template <std::size_t... I>
  static std::tuple<T...> load_items(const rkb_value& value, std::index_sequence<I...>) {
    return {Caster<T>::load(list_item(value, I))...};
  }
};

template <typename First, typename Second>
struct Caster<std::pair<First, Second>> : Caster<std::tuple<First, Second>> {
  static std::pair<First, Second> load(const rkb_value& value) {
    return {Caster<First>::load(list_item(value, 0)), Caster<Second>::load(list_item(value, 1))};
  }
};
#endif

#ifndef RKB_WITHOUT_VECTOR
template <typename T>
struct Caster<std::vector<T>> : ListCaster<T> {
  static std::vector<T> load(const rkb_value& value) {
    std::vector<T> result;
    result.reserve(static_cast<std::size_t>(value.length));
    for (std::int32_t i = 0; i < value.length; ++i) {
      result.push_back(Caster<T>::load(list_item(value, i)));
    }
    return result;
  }
};
// An ArrayRef parameter refers to a vector that lives until the call ends.
template <typename T>
struct Caster<ArrayRef<T>> : Caster<std::vector<T>> {};
#endif

}  // namespace rkb
