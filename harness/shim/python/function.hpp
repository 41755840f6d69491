#pragma once

#include <string>
#include <vector>

#include <robust_kbench/python/module.h>

namespace rkb {

struct Parameter {
  ParameterType type;
  std::string name;  // empty if the kernel gives none
  bool has_default = false;
  Object default_value;
};

// One registered function. It lives as long as the kernel's shared object.
struct Function {
  std::string name;
  std::string doc;
  Signature signature;
  void (*callable)();
  std::vector<Parameter> parameters;
  std::vector<rkb_parameter> described;

  // Throws if the extras do not fit the signature.
  Function(const char* name, const Signature& signature, void (*callable)(),
           std::initializer_list<python::Extra> extras);

  // Stores the arguments with defaults filled in. False if they do not fit.
  bool bind(const rkb_value* arguments, std::int32_t count, rkb_value* bound) const;
  // pybind's error message for arguments that fit no signature.
  [[nodiscard]] std::string mismatch(const rkb_value* arguments, std::int32_t count) const;
};

}  // namespace rkb
