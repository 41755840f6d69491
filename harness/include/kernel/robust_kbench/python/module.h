#pragma once

#include <robust_kbench/python/signature.h>

// The part of pybind11 that kernels' modules use.
namespace rkb::python {

template <typename... T>
constexpr bool always_false = false;

using object = Object;
using handle = Object;
using tuple = Tuple;
using list = List;
using none = None;
using rkb::make_tuple;

template <typename T>
T cast(const Object& object) {
  return object.cast<T>();
}

// py::arg("eps") = 1e-5
struct arg_v {
  const char* name;
  Object value;
};
struct arg {
  const char* name;

  explicit arg(const char* name) : name(name) {}
  arg& none(bool = true) { return *this; }
  arg& noconvert(bool = true) { return *this; }
  arg_v operator=(Object value) const { return {name, std::move(value)}; }
};

// py::overload_cast<torch::Tensor, double>(&f): the overload of f with these parameters.
template <typename... Parameters>
struct Overload {
  template <typename Result>
  constexpr auto operator()(Result (*function)(Parameters...)) const {
    return function;
  }
};
template <typename... Parameters>
inline constexpr Overload<Parameters...> overload_cast{};

namespace literals {
inline arg operator""_a(const char* name, std::size_t) {
  return arg(name);
}
}  // namespace literals

// Accepted and ignored: there is no interpreter to release and nothing to keep alive.
struct gil_scoped_release {
  gil_scoped_release() {}
};
struct gil_scoped_acquire {
  gil_scoped_acquire() {}
};
template <typename... Guards>
struct call_guard {};
struct kw_only {};
struct pos_only {};
enum class return_value_policy { automatic, copy, move, reference, take_ownership };

// Accepts any value and drops it, since nothing reads it.
struct attribute {
  template <typename T>
  void operator=(const T&) const {}
};

// An argument of m.def() after the function.
struct Extra {
  Extra(const char* doc) : doc(doc) {}
  Extra(const arg& argument) : name(argument.name) {}
  Extra(const arg_v& argument)
      : name(argument.name), has_default(true), default_value(argument.value) {}
  template <typename... Guards>
  Extra(const call_guard<Guards...>&) {}
  Extra(kw_only) {}
  Extra(pos_only) {}
  Extra(return_value_policy) {}

  const char* doc = nullptr;
  const char* name = nullptr;  // name of an argument
  bool has_default = false;
  Object default_value;
};

class module_ {
 public:
  template <typename Result, typename... Parameters, typename... Extras>
  module_& def(const char* name, Result (*callable)(Parameters...), const Extras&... extras) {
    add(name, signature<Result, Parameters...>(), reinterpret_cast<void (*)()>(callable),
        {Extra(extras)...});
    return *this;
  }
  // A lambda without captures.
  template <typename Lambda, typename... Extras,
            typename = std::enable_if_t<std::is_class_v<Lambda>>>
  module_& def(const char* name, const Lambda& lambda, const Extras&... extras) {
    static_assert(std::is_empty_v<Lambda>,
                  "m.def takes functions and lambdas that capture nothing");
    return def(name, +lambda, extras...);
  }

  attribute doc() { return {}; }

  template <typename Name>
  attribute attr(const Name&) {
    static_assert(always_false<Name>,
                  "m.attr is not supported: a kernel's module has functions only");
    return {};
  }

 private:
  void add(const char* name, const Signature& signature, void (*callable)(),
           std::initializer_list<Extra> extras);
};
using module = module_;

template <typename T, typename... Bases>
class class_ {
  static_assert(always_false<T>,
                "py::class_ is not supported: a kernel's module has functions only");
};

// Runs the body once. `launch_error` may be null. It returns null, or the error of a kernel launch
// that the function did not check.
const rkb_module* make_module(const rkb_table* offered, void (*body)(module_&),
                              const char* (*launch_error)());

}  // namespace rkb::python

namespace pybind11 {
using namespace ::rkb::python;
namespace literals {
using namespace ::rkb::python::literals;
}  // namespace literals
}  // namespace pybind11

namespace py = pybind11;

#ifdef __CUDACC__
namespace rkb {
inline const char* launch_error() {
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}
}  // namespace rkb
#define RKB_LAUNCH_ERROR (&::rkb::launch_error)
#else
#define RKB_LAUNCH_ERROR nullptr
#endif

#define PYBIND11_MODULE(name, variable, ...)                                      \
  RKB_COLD static void rkb_module_body(::rkb::python::module_& variable);         \
  extern "C" const rkb_module* rkb_kernel_module(const rkb_table* table) {        \
    return ::rkb::python::make_module(table, &rkb_module_body, RKB_LAUNCH_ERROR); \
  }                                                                               \
  static void rkb_module_body([[maybe_unused]] ::rkb::python::module_& variable)
