#include "process/demangle.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

#include "process/escape.hpp"

namespace robust_kbench {

std::string demangled(std::string_view name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
  return escaped(status == 0 ? std::string_view(text.get()) : name);
}

}  // namespace robust_kbench
