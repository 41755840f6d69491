#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A function that a source defines outside of classes, so that a module could call it.
struct FreeFunction {
  std::string name;      // with its named namespaces: "detail::forward"
  bool returns_tensors;  // as far as its text tells
  bool is_template;

  friend bool operator==(const FreeFunction&, const FreeFunction&) = default;
};

// The free functions of a source in its order, without those that only a GPU can call. Macros are
// not expanded, and both branches of an #if count.
std::vector<FreeFunction> free_functions(std::string_view source);

// Whether the source has a module of its own: PYBIND11_MODULE, or the symbol behind it.
bool writes_module(std::string_view source);

// Whether its module, or where it has none a function of it, has this name.
bool offers_entry_point(std::string_view source, const std::string& name);

// The text by which the source registers itself where nobody calls it here. For torch's dispatcher
// it is "TORCH_LIBRARY", for Python "PyInit__C" or "Python.h". Empty where it does not.
std::string registration_with_torch(std::string_view source);
std::string registration_with_python(std::string_view source);

}  // namespace robust_kbench
