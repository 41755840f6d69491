#include "transform/calls.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "transform/assignment.hpp"

namespace robust_kbench {
namespace {

constexpr std::array<std::string_view, 30> math_functions{
    "exp",   "exp2", "expm1", "log",  "log2",  "log1p", "sin",    "cos",   "tan",    "tanh",
    "pow",   "erf",  "expf",  "logf", "sinf",  "cosf",  "powf",   "tanhf", "erff",   "sqrt",
    "sqrtf", "cbrt", "cosh",  "sinh", "log2f", "exp2f", "rsqrtf", "rsqrt", "__expf", "__logf"};
constexpr std::array<std::string_view, 26> plain_functions{
    "max",   "min",   "fmax",   "fmin",     "fmaxf",   "fminf",    "abs",   "fabs",      "fabsf",
    "floor", "ceil",  "round",  "fma",      "fmaf",    "isnan",    "isinf", "numel",     "size",
    "dim",   "clamp", "lowest", "infinity", "epsilon", "data_ptr", "__ldg", "__fdividef"};
constexpr std::array<std::string_view, 27> conversions{
    "static_cast", "float",   "double",  "int",        "long",
    "unsigned",    "bool",    "size_t",  "int8_t",     "int16_t",
    "int32_t",     "int64_t", "uint8_t", "uint16_t",   "uint32_t",
    "uint64_t",    "short",   "char",    "sizeof",     "if",
    "for",         "return",  "while",   "const_cast", "reinterpret_cast",
    "decltype",    "else"};
constexpr int deepest_calls = 8;  // calls within calls that are followed

template <class List>
bool holds(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

class CallSearch {
 public:
  CallSearch(const Code& code, const std::vector<Function>& functions)
      : m_code(code), m_functions(functions) {}

  void look(Range range, int depth) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!m_code.is_name(i) || !is_called(i) || m_code.opens_index(i + 1)) continue;
      call(m_code.text(i), i, depth);
    }
  }

  Calls result;

 private:
  // `name(` or `name<type>(`
  [[nodiscard]] bool is_called(std::size_t i) const {
    if (m_code.text(i + 1) == "(") return true;
    if (m_code.text(i + 1) != "<") return false;
    for (std::size_t k = i + 2; k < std::min(i + 12, m_code.size()); ++k) {
      if (m_code.text(k) == ">") return m_code.text(k + 1) == "(";
      const bool type = m_code.is_name(k) || m_code.text(k) == "::" || m_code.text(k) == "*" ||
                        m_code.text(k) == ",";
      if (!type && m_code.token(k).kind != TokenKind::number) return false;
    }
    return false;
  }

  void call(std::string_view name, std::size_t i, int depth) {
    if (holds(math_functions, name)) {
      result.math.emplace(name);
    } else if (!holds(plain_functions, name) && !holds(conversions, name) && !declares(i)) {
      source_function(name, depth);
    }
  }

  // `float x(0.0f)`, a declaration that looks like a call.
  [[nodiscard]] bool declares(std::size_t i) const {
    return i > 0 && m_code.is_name(i - 1) && m_code.text(i - 1) != "return";
  }

  void source_function(std::string_view name, int depth) {
    bool found = false;
    for (const Function& function : m_functions) {
      const bool lambda = function.name.empty() && lambda_name(function) == name;
      if (function.name != name && !lambda) continue;
      found = true;
      // Methods of one name may call each other: `rows` of one class calls `columns` of another.
      if (!m_seen.insert(&function).second) continue;
      result.pure = result.pure && depth < deepest_calls && writes_its_own(function);
      if (!result.pure) continue;
      add_names(function);
      look(function.body, depth + 1);
    }
    result.pure = result.pure && found;
  }

  void add_names(const Function& function) {
    std::set<std::string> names = m_code.names(function.body);
    for (const Range parameter : m_code.parts(function.parameters)) {
      names.erase(std::string(m_code.text(parameter.end - 1)));
    }
    // The function's own variables do not count, unless one of that name is used before.
    for (const SourceStatement& statement : function.statements) {
      if (statement.kind != StatementKind::declaration) continue;
      const std::string& name = statement.declaration.name;
      std::size_t first = function.body.begin;
      while (first < statement.range.begin && m_code.text(first) != name) ++first;
      if (first >= statement.range.begin) names.erase(name);
    }
    result.used.merge(names);
  }

  // The name in `const auto name = [...](...) {...};`.
  [[nodiscard]] std::string_view lambda_name(const Function& function) const {
    for (std::size_t i = function.head.begin; i + 2 < function.head.end; ++i) {
      if (m_code.text(i + 1) == "=" && m_code.text(i + 2) == "[") return m_code.text(i);
    }
    return {};
  }

  // Whether a function writes nothing but its own variables.
  [[nodiscard]] bool writes_its_own(const Function& function) const {
    const auto statements = all_of(function.statements);
    for (const SourceStatement* statement : statements) {
      if (statement->kind == StatementKind::other || statement->kind == StatementKind::pragma) {
        return false;
      }
      if (statement->kind != StatementKind::expression) continue;
      const auto assignment = assignment_of(m_code, statement->range);
      if (!assignment || !assignment->indices.empty()) return false;
      const bool own =
          std::any_of(statements.begin(), statements.end(), [&](const SourceStatement* s) {
            return s->kind == StatementKind::declaration &&
                   s->declaration.name == assignment->target &&
                   m_code.find(s->declaration.type, "&") == s->declaration.type.end;
          });
      if (!own) return false;
    }
    return true;
  }

  const Code& m_code;
  const std::vector<Function>& m_functions;
  std::set<const Function*> m_seen;
};

}  // namespace

Calls calls_of(const Code& code, const std::vector<Function>& functions, Range range) {
  CallSearch search(code, functions);
  search.look(range, 0);
  return std::move(search.result);
}

}  // namespace robust_kbench
