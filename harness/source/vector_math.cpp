#include "source/vector_math.hpp"

#include <string_view>

namespace robust_kbench {
namespace {

// The functions with one argument that glibc 2.22, the oldest with any, has as vectors of floats.
const std::set<std::string> available{"exp", "log", "sin", "cos"};

std::size_t last_include(const Code& code) {
  std::size_t result = code.size();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is_directive(i) && code.text(i).find("include") != std::string_view::npos) result = i;
  }
  return result;
}

}  // namespace

std::vector<Edit> declare_vector_math(const Code& code, const std::set<std::string>& functions) {
  const std::size_t include = last_include(code);
  if (include == code.size()) return {};
  std::string declarations;
  for (std::string function : functions) {
    if (function.ends_with('f') && available.contains(function.substr(0, function.size() - 1))) {
      function.pop_back();
    }
    if (!available.contains(function)) continue;
    const std::string declaration = "float " + function + "f(float) noexcept;";
    if (code.source().find(declaration) != std::string_view::npos) continue;
    if (declarations.find(declaration) != std::string::npos) continue;
    declarations += "#pragma omp declare simd notinbranch\n" + declaration + "\n";
  }
  if (declarations.empty()) return {};
  const Token& token = code.token(include);
  return {{token.offset + token.text.size(), 0, "\n\nextern \"C\" {\n" + declarations + "}"}};
}

}  // namespace robust_kbench
