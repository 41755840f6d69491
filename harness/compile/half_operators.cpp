#include "compile/half_operators.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "compile/compiler_errors.hpp"

namespace robust_kbench {
namespace {

// The macros that switch off the missing operator or conversion. Nvcc names the types of operands
// and arguments in the next line.
std::set<std::string> macros_for(const std::string& error, const std::string& next_line) {
  static const std::regex with_operator(
      "^no operator \"([^\"]+)\" matches|^no match for .{1,3}operator([^ '\u2019]+)");
  static const std::regex conversion(
      "^no suitable (user-defined )?(conversion|constructor)|^no instance of constructor|"
      "^(cannot|could not) convert|^invalid (static_)?cast|^conversion from ");
  static const std::regex number(
      R"((are: |[-+*/<>=&|] |const )(float|double|int|long|unsigned|bool)\b|: \((float|double|int))");
  std::smatch match;
  const bool is_operator = std::regex_search(error, match, with_operator);
  const std::string sign = is_operator ? match[1].str() + match[2].str() : std::string();
  const bool has_types = next_line.find("operand types are") != std::string::npos ||
                         next_line.find("argument types are") != std::string::npos;
  const std::string types = has_types ? error + " " + next_line : error;
  const bool converts = std::regex_search(error, conversion) || sign == "=" ||
                        (is_operator && std::regex_search(types, number));
  std::set<std::string> macros;
  if (!is_operator && !converts) return macros;
  static const std::regex half("\\b(__)?half\\b");
  static const std::regex half2("\\b(__)?half2\\b");
  static const std::regex bfloat16("\\b(__)?nv_bfloat16\\b");
  if (is_operator && std::regex_search(types, half2)) macros.insert("__CUDA_NO_HALF2_OPERATORS__");
  if (std::regex_search(types, half)) {
    if (is_operator && sign != "=") macros.insert("__CUDA_NO_HALF_OPERATORS__");
    if (converts) macros.insert("__CUDA_NO_HALF_CONVERSIONS__");
  }
  if (converts && std::regex_search(types, bfloat16)) {
    macros.insert("__CUDA_NO_BFLOAT16_CONVERSIONS__");
  }
  return macros;
}

bool is_defined(const std::string& macro, const std::vector<std::string>& flags) {
  const auto has = [&](const std::string& flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  };
  return has("-D" + macro) && !has("-U" + macro);
}

}  // namespace

std::string half_operator_advice(const std::string& compiler_output,
                                 const std::vector<std::string>& flags) {
  const std::vector<std::string> lines = lines_of(compiler_output);
  std::set<std::string> macros;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string error = error_in(lines[i]);
    if (error.empty()) continue;
    for (const std::string& macro :
         macros_for(error, i + 1 < lines.size() ? lines[i + 1] : std::string())) {
      if (is_defined(macro, flags)) macros.insert(macro);
    }
  }
  if (macros.empty()) return {};
  std::string names;
  std::string options;
  for (const std::string& macro : macros) {
    names += (names.empty() ? "" : ", ") + macro;
    options += " --option=-U" + macro;
  }
  return "Half operators are switched off by " + names +
         ", which torch's extension builds define, and so do we: write __hadd(a, b), "
         "__half2float(a), __float2half(a) and their like, or compile with" +
         options + "\n";
}

}  // namespace robust_kbench
