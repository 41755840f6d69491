#include "compile/lean_headers.hpp"

#include <regex>

#include "compile/quoted_headers.hpp"

namespace robust_kbench {
namespace {

struct LeanHeader {
  const char* definition;
  std::regex names;  // words of a text that needs the header
};

const std::vector<LeanHeader>& lean_headers() {
  static const std::vector<LeanHeader> headers{
      {"RKB_WITHOUT_VECTOR",
       std::regex(R"(\b(vector|(Int)?ArrayRef|TensorList)\b|[.]vec\(|::(chunk|split)\b)")},
      {"RKB_WITHOUT_STRING",
       std::regex(R"(\b(string|to_string|stdexcept|invalid_argument|out_of_range|)"
                  R"((runtime|logic|domain|length|range|overflow|underflow)_error)\b|)"
                  R"([.](str|msg)\()")},
      {"RKB_WITHOUT_TUPLE",
       std::regex(R"(\b(tuple|array|tie|apply|make_tuple|forward_as_tuple)\b|\bget<|)"
                  R"(\bauto\s*[&]*\s*\[|[.>](max|min|sort|topk)\()")},
      {"RKB_WITHOUT_ALGORITHM",
       std::regex(R"(\bstd::(min|max|clamp|swap|copy|fill|find|count|equal|sort|stable_sort|)"
                  R"(nth_element|reverse|rotate|shuffle|unique|remove|replace|transform|generate|)"
                  R"(for_each|merge|all_of|any_of|none_of|lower_bound|upper_bound|search|)"
                  R"(binary_search|partial_sort)|)"
                  R"(\busing namespace std\b)")},
      // Leaves out torch's operators, and std::optional, which their declarations need. Functions
      // that make and view tensors remain. Operators cost a third of the compilation of a CUDA
      // kernel that calls none.
      {"RKB_WITHOUT_OPERATORS",
       std::regex(
           R"([Oo]ptional|\bnullopt\b|\bdevice_of\b|)"
           R"(\b(torch|at|c10)::(?!(empty|zeros|ones|full)(_like|_strided)?\b|from_blob\b|tensor\b|)"
           R"(dtype\b|device\b|parallel_for\b|get_num_threads\b)[a-z]\w*\(|)"
           R"(([.]|->)(abs|ceil|cos|erf|exp|exp2|expm1|floor|log|log1p|log2|neg|reciprocal|)"
           R"(relu|round|rsqrt|sigmoid|sin|sqrt|square|tanh|trunc|add|sub|mul|div|eq|ne|lt|)"
           R"(le|gt|ge|matmul|mm|bmm|mv|dot|outer|maximum|minimum|logical_and|logical_or|)"
           R"(sum|mean|max|min|pow|addmm|clamp|clamp_min|clamp_max|amax|amin|argmax|argmin|)"
           R"(var|std|norm|all|any|isnan|cumsum|softmax|log_softmax|logsumexp|gather|)"
           R"(index_select|masked_fill|repeat|tril|triu|slice)_?\()")},
      // The include guard of libstdc++'s special functions, such as std::cyl_bessel_j. They are a
      // fifth of what <cmath> costs nvcc.
      {"_GLIBCXX_BITS_SPECFUN_H=1",
       std::regex(R"(\b(assoc_|cyl_|sph_|comp_ellint|ellint_|expint|hermite|laguerre|legendre|)"
                  R"(riemann_zeta|beta))")},
  };
  return headers;
}

}  // namespace

std::vector<std::string> lean_definitions(const KernelSource& kernel) {
  const std::string text = quoted_text(kernel);
  std::vector<std::string> definitions;
  for (const LeanHeader& header : lean_headers()) {
    if (!std::regex_search(text, header.names)) definitions.emplace_back(header.definition);
  }
  return definitions;
}

}  // namespace robust_kbench
