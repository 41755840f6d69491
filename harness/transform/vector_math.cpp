#include "transform/vector_math.hpp"

#include <string_view>

namespace robust_kbench {
namespace {

// The functions with one argument that glibc has as vectors of floats since 2.22, its oldest
// version with any.
const std::set<std::string> available{"exp", "log", "sin", "cos"};

}  // namespace

bool has_vector_version(const std::string& function) {
  const bool of_float = function.ends_with('f');
  return available.contains(of_float ? function.substr(0, function.size() - 1) : function);
}

std::vector<Edit> declare_vector_math(const Code& code, const std::set<std::string>& functions) {
  std::string declarations;
  for (std::string function : functions) {
    if (!has_vector_version(function)) continue;
    if (function.ends_with('f')) function.pop_back();
    const std::string declaration = "float " + function + "f(float) noexcept;";
    if (code.source().find(declaration) != std::string_view::npos) continue;
    if (declarations.find(declaration) != std::string::npos) continue;
    declarations += "#pragma omp declare simd notinbranch\n" + declaration + "\n";
  }
  if (declarations.empty()) return {};
  return {after_includes(code, "extern \"C\" {\n" + declarations + "}")};
}

}  // namespace robust_kbench
