#pragma once

#include <string>
#include <vector>

#include "transform/statement.hpp"

namespace robust_kbench {

// A function or lambda that returns an element and does nothing else.
struct ElementFunction {
  std::string name;
  std::vector<std::string> parameters;
  Range element;
  Range visible;     // where calls mean this function
  Range definition;  // which is no call
};

// The functions of a source that return an element, where it is the same wherever it is written.
// Lambdas refer to what they capture, or have copies of what is never written. The element is
// returned without a conversion.
std::vector<ElementFunction> element_functions(const Code& code,
                                               const std::vector<Function>& functions);

// The captures of a lambda, between its square brackets, or an empty range.
Range captures_of(const Code& code, const Function& function);

}  // namespace robust_kbench
