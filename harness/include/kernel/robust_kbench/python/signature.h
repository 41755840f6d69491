#pragma once

#include <robust_kbench/python/results.h>

// The record that m.def() makes of a function, and the wrapper that calls it.
namespace rkb {

struct ParameterType {
  const char* name;  // Python's name of the type
  rkb_kind kind;
  bool optional;
  bool (*accepts)(const rkb_value&);
};

template <typename T>
constexpr ParameterType parameter_type() {
  return {Caster<T>::name, Caster<T>::kind, Caster<T>::optional, &Caster<T>::accepts};
}

struct Signature {
  const ParameterType* parameters;
  std::size_t count;
  void (*invoke)(void (*callable)(), const rkb_value* arguments, Results& results);
};

inline constexpr std::size_t max_parameters = 64;

// Keeps an argument alive while the kernel runs. T is the parameter's type without reference and
// const.
template <typename T>
struct Argument {
  decltype(Caster<T>::load(rkb_value())) value;
  explicit Argument(const rkb_value& from) : value(Caster<T>::load(from)) {}
  auto& get() { return value; }
};
template <typename T>
using Bare = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename Result, typename... Parameters, std::size_t... I>
void invoke_with(Result (*callable)(Parameters...), [[maybe_unused]] const rkb_value* values,
                 [[maybe_unused]] Results& results, std::index_sequence<I...>) {
  if constexpr (std::is_void_v<Result>) {
    callable(static_cast<Parameters>(Argument<Bare<Parameters>>(values[I]).get())...);
    results.add(Object());  // None, as in Python
  } else {
    results.add(callable(static_cast<Parameters>(Argument<Bare<Parameters>>(values[I]).get())...));
  }
}

template <typename Result, typename... Parameters>
void invoke(void (*callable)(), const rkb_value* values, Results& results) {
  invoke_with(reinterpret_cast<Result (*)(Parameters...)>(callable), values, results,
              std::index_sequence_for<Parameters...>());
}

template <typename Result, typename... Parameters>
Signature signature() {
  static_assert(sizeof...(Parameters) <= max_parameters, "a function has at most 64 parameters");
  static constexpr ParameterType parameters[] = {parameter_type<Bare<Parameters>>()..., {}};
  return {parameters, sizeof...(Parameters), &invoke<Result, Parameters...>};
}

}  // namespace rkb
