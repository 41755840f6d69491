#pragma once

#include <robust_kbench/facade/results.h>

// What m.def() records of a function, and the thunk that the worker calls.
namespace rkb {

struct Parameter {
  std::string name;
  rkb_kind kind = RKB_NONE;
  bool optional = false;
  bool (*accepts)(const rkb_value&) = nullptr;
  const char* type = "";
  bool has_default = false;
  Object default_value;
};

// One registered function. Lives as long as the kernel's shared object.
struct Function {
  std::string name;
  std::string doc;
  std::vector<Parameter> parameters;
  std::vector<rkb_parameter> described;
  void (*invoke)(const Function& self, const rkb_value* arguments, Results& results) = nullptr;
  void (*callable)() = nullptr;  // a function pointer, cast
};

inline bool accepts_argument(const Parameter& parameter, const rkb_value& value) {
  if (parameter.accepts(value)) return true;
  // Only a default of None, such as at::Tensor(), lets None pass for a type that is not optional.
  return value.kind == RKB_NONE && parameter.has_default && parameter.default_value.is_none();
}

inline const char* kind_name(const rkb_value& value) {
  constexpr const char* names[] = {"None", "Tensor", "int",   "float", "bool",  "str",
                                   "list", "list",   "tuple", "dtype", "device"};
  return value.kind >= RKB_NONE && value.kind <= RKB_DEVICE ? names[value.kind] : "object";
}

// pybind's message for arguments that fit no signature.
RKB_COLD inline std::string signature_error(const Function& function, const rkb_value* arguments,
                                            std::int32_t count) {
  std::string text = function.name +
                     "(): incompatible function arguments. The following argument types are "
                     "supported:\n    1. (";
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    if (i > 0) text += ", ";
    text += parameter.name.empty() ? "arg" + std::to_string(i) : parameter.name;
    text += ": ";
    text += parameter.type;
    if (parameter.optional) text += " | None";
    if (parameter.has_default) text += " = ...";
  }
  text += ")\n\nInvoked with: ";
  for (std::int32_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    text += kind_name(arguments[i]);
  }
  return text;
}

// The arguments with defaults filled in; false where they do not fit.
inline bool bind_arguments(const Function& function, const rkb_value* arguments, std::int32_t count,
                           rkb_value* bound) {
  const std::size_t given = static_cast<std::size_t>(count);
  if (given > function.parameters.size()) return false;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    if (i < given) {
      if (!accepts_argument(parameter, arguments[i])) return false;
      bound[i] = arguments[i];
    } else {
      if (!parameter.has_default) return false;
      bound[i] = parameter.default_value.value();
    }
  }
  return true;
}

inline constexpr std::size_t max_parameters = 64;

// Turns the exception in flight into a status; only inside a handler.
RKB_COLD inline std::int32_t status_of_exception() {
  try {
    throw;
  } catch (const OutOfMemoryError& error) {
    table->set_error(error.what());
    return RKB_OUT_OF_MEMORY;
  } catch (const std::bad_alloc& error) {
    table->set_error(error.what());
    return RKB_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    table->set_error(error.what());
  } catch (...) {
    table->set_error("an exception that is no std::exception");
  }
  return RKB_EXCEPTION;
}

inline std::int32_t call_function(const rkb_function* self, const rkb_value* arguments,
                                  std::int32_t argument_count, rkb_value* results,
                                  std::int32_t max_results, std::int32_t* result_count) {
  const Function& function = *static_cast<const Function*>(self->state);
  Results collected(results, max_results);
  try {
    rkb_value bound[max_parameters];
    if (!bind_arguments(function, arguments, argument_count, bound)) {
      table->set_error(signature_error(function, arguments, argument_count).c_str());
      return RKB_BAD_ARGUMENTS;
    }
    function.invoke(function, bound, collected);
#ifdef __CUDACC__
    // A launch that failed and that the kernel did not look at.
    if (const cudaError_t launched = cudaGetLastError(); launched != cudaSuccess) {
      fail("CUDA error: ", cudaGetErrorString(launched));
    }
#endif
    *result_count = collected.count();
    return RKB_OK;
  } catch (...) {
    collected.drop();
    return status_of_exception();
  }
}

// What a parameter is held in while the kernel runs, by its type without reference and const.
template <typename T>
struct Held {
  using type = T;
};
template <typename T>
struct Held<ArrayRef<T>> {
  using type = std::vector<T>;
};
template <typename T>
using Bare = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename Result, typename... Arguments, std::size_t... I>
void invoke_with(Result (*callable)(Arguments...), const Function& function,
                 const rkb_value* values, Results& results, std::index_sequence<I...>) {
  (void)values;
  std::tuple<typename Held<Bare<Arguments>>::type...> held{
      Caster<Bare<Arguments>>::load(values[I])...};
  if constexpr (std::is_void_v<Result>) {
    callable(static_cast<Arguments>(std::get<I>(held))...);
    fail(function.name,
         "() returned nothing; return the result as a tensor or several in a vector");
  } else {
    (void)function;
    results.add(callable(static_cast<Arguments>(std::get<I>(held))...));
  }
}

template <typename Result, typename... Arguments>
void invoke(const Function& function, const rkb_value* values, Results& results) {
  invoke_with(reinterpret_cast<Result (*)(Arguments...)>(function.callable), function, values,
              results, std::index_sequence_for<Arguments...>());
}

}  // namespace rkb
