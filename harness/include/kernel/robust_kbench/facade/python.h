#pragma once

#include <robust_kbench/facade/module.h>

// pybind11's names as far as a kernel's module uses them.
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
  template <typename T>
  arg_v operator=(const T& value) const {
    return {name, to_object(value)};
  }
};

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

// Takes any value, so that the message about m.attr stands alone.
struct attribute {
  template <typename T>
  void operator=(const T&) const {}
};

class module_ {
 public:
  template <typename Result, typename... Arguments, typename... Extras>
  module_& def(const char* name, Result (*callable)(Arguments...), const Extras&... extras) {
    static_assert(sizeof...(Arguments) <= max_parameters, "a function has at most 64 parameters");
    Function* function = new Function;
    function->name = name;
    function->invoke = &rkb::invoke<Result, Arguments...>;
    function->callable = reinterpret_cast<void (*)()>(callable);
    (describe<Bare<Arguments>>(*function), ...);
    [[maybe_unused]] std::size_t next = 0;
    (apply(*function, next, extras), ...);
    add(function);
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

  std::string& doc() { return m_doc; }

  template <typename Name>
  attribute attr(const Name&) {
    static_assert(always_false<Name>,
                  "m.attr is not supported: a kernel's module has functions only");
    return {};
  }

  const rkb_module* finish() {
    m_module = {RKB_ABI_VERSION, static_cast<std::int32_t>(m_functions.size()), m_functions.data(),
                "slim"};
    return &m_module;
  }

 private:
  template <typename T>
  static void describe(Function& function) {
    add_parameter(function, Caster<T>::kind, Caster<T>::optional, &Caster<T>::accepts,
                  Caster<T>::name);
  }
  RKB_COLD static void add_parameter(Function& function, rkb_kind kind, bool optional,
                                     bool (*accepts)(const rkb_value&), const char* type) {
    Parameter& parameter = function.parameters.emplace_back();
    parameter.kind = kind;
    parameter.optional = optional;
    parameter.accepts = accepts;
    parameter.type = type;
  }

  RKB_COLD static Parameter& parameter_at(Function& function, std::size_t index) {
    TORCH_CHECK(index < function.parameters.size(), function.name, "(): more py::arg than the ",
                function.parameters.size(), " parameters of the function");
    return function.parameters[index];
  }
  static void apply(Function& function, std::size_t&, const char* doc) { function.doc = doc; }
  static void apply(Function& function, std::size_t& next, const arg& argument) {
    parameter_at(function, next++).name = argument.name;
  }
  RKB_COLD static void apply(Function& function, std::size_t& next, const arg_v& argument) {
    Parameter& parameter = parameter_at(function, next++);
    parameter.name = argument.name;
    parameter.has_default = true;
    parameter.default_value = argument.value;
    const rkb_value value = parameter.default_value.value();
    TORCH_CHECK(value.kind == RKB_NONE || parameter.accepts(value), function.name,
                "(): the default of '", argument.name, "' is no ", parameter.type);
  }
  template <typename... Guards>
  static void apply(Function&, std::size_t&, const call_guard<Guards...>&) {}
  static void apply(Function&, std::size_t&, kw_only) {}
  static void apply(Function&, std::size_t&, pos_only) {}
  static void apply(Function&, std::size_t&, return_value_policy) {}

  RKB_COLD void add(Function* function) {
    for (const Parameter& parameter : function->parameters) {
      function->described.push_back({parameter.name.empty() ? nullptr : parameter.name.c_str(),
                                     parameter.kind, parameter.optional ? 1 : 0,
                                     parameter.has_default ? 1 : 0});
    }
    m_functions.push_back(
        {function->name.c_str(), function->doc.c_str(), function->described.data(),
         static_cast<std::int32_t>(function->described.size()), &call_function, function});
  }

  std::string m_doc;
  std::vector<rkb_function> m_functions;
  rkb_module m_module{};
};
using module = module_;

template <typename T, typename... Bases>
class class_ {
  static_assert(always_false<T>,
                "py::class_ is not supported: a kernel's module has functions only");
};

// Runs the body once, into `module`, which is the kernel's own.
RKB_COLD inline const rkb_module* make_module(const rkb_table* offered, void (*body)(module_&),
                                              module_*& module) {
  if (offered->version != RKB_ABI_VERSION || offered->size < sizeof(rkb_table)) {
    offered->set_error(str("the kernel was built for version ", int{RKB_ABI_VERSION},
                           " of the table with ", sizeof(rkb_table),
                           " bytes, the worker has version ", offered->version, " with ",
                           offered->size, "; compile the kernel again")
                           .c_str());
    return nullptr;
  }
  table = offered;
  if (module != nullptr) return module->finish();
  module_* made = new module_;
  try {
    body(*made);
  } catch (...) {
    delete made;
    status_of_exception();
    return nullptr;
  }
  module = made;
  return module->finish();
}

}  // namespace rkb::python

#define PYBIND11_MODULE(name, variable, ...)                               \
  RKB_COLD static void rkb_module_body(::rkb::python::module_& variable);  \
  extern "C" const rkb_module* rkb_kernel_module(const rkb_table* table) { \
    static ::rkb::python::module_* module = nullptr;                       \
    return ::rkb::python::make_module(table, &rkb_module_body, module);    \
  }                                                                        \
  static void rkb_module_body([[maybe_unused]] ::rkb::python::module_& variable)

// Torch's own registration has no counterpart here; the body that follows is parsed as a template,
// so that this message stands alone.
#define TORCH_LIBRARY(library, variable)                                                \
  static_assert(false,                                                                  \
                "TORCH_LIBRARY is not supported: register the kernel's functions with " \
                "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)");                            \
  template <typename Library>                                                           \
  void rkb_unsupported_library_##library([[maybe_unused]] Library& variable)
#define TORCH_LIBRARY_FRAGMENT(library, variable) TORCH_LIBRARY(library, variable)
#define TORCH_LIBRARY_IMPL(library, key, variable) TORCH_LIBRARY(library##key, variable)
