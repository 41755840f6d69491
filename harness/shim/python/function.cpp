#include "shim/python/function.hpp"

namespace rkb {
namespace {

bool accepts_argument(const Parameter& parameter, const rkb_value& value) {
  if (parameter.type.accepts(value)) return true;
  // None is accepted for a type that is not optional only if the default is None, such as
  // at::Tensor().
  return value.kind == RKB_NONE && parameter.has_default && parameter.default_value.is_none();
}

const char* kind_name(const rkb_value& value) {
  constexpr const char* names[] = {"None", "Tensor", "int",   "float", "bool",  "str",
                                   "list", "list",   "tuple", "dtype", "device"};
  return value.kind >= RKB_NONE && value.kind <= RKB_DEVICE ? names[value.kind] : "object";
}

}  // namespace

Function::Function(const char* name, const Signature& signature, void (*callable)(),
                   std::initializer_list<python::Extra> extras)
    : name(name), signature(signature), callable(callable) {
  for (std::size_t i = 0; i < signature.count; ++i) {
    parameters.push_back({signature.parameters[i], {}, false, {}});
  }
  std::size_t next = 0;
  for (const python::Extra& extra : extras) {
    if (extra.doc != nullptr) doc = extra.doc;
    if (extra.name == nullptr) continue;
    TORCH_CHECK(next < parameters.size(), name, "(): more py::arg than the ", parameters.size(),
                " parameters of the function");
    Parameter& parameter = parameters[next++];
    parameter.name = extra.name;
    parameter.has_default = extra.has_default;
    parameter.default_value = extra.default_value;
    const rkb_value value = parameter.default_value.value();
    TORCH_CHECK(value.kind == RKB_NONE || parameter.type.accepts(value), name,
                "(): the default of '", extra.name, "' is no ", parameter.type.name);
  }
  for (const Parameter& parameter : parameters) {
    described.push_back({parameter.name.empty() ? nullptr : parameter.name.c_str(),
                         parameter.type.kind, parameter.type.optional ? 1 : 0,
                         parameter.has_default ? 1 : 0});
  }
}

bool Function::bind(const rkb_value* arguments, std::int32_t count, rkb_value* bound) const {
  const std::size_t given = static_cast<std::size_t>(count);
  if (given > parameters.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
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

std::string Function::mismatch(const rkb_value* arguments, std::int32_t count) const {
  std::string text = name +
                     "(): incompatible function arguments. The following argument types are "
                     "supported:\n    1. (";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (i > 0) text += ", ";
    text += parameter.name.empty() ? "arg" + std::to_string(i) : parameter.name;
    text += ": ";
    text += parameter.type.name;
    if (parameter.type.optional) text += " | None";
    if (parameter.has_default) text += " = ...";
  }
  text += ")\n\nInvoked with: ";
  for (std::int32_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    text += kind_name(arguments[i]);
  }
  return text;
}

}  // namespace rkb
