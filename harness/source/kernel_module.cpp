#include "source/kernel_module.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "source/code.hpp"

namespace robust_kbench {
namespace {

// The declarations of a source outside of functions and classes.
class DeclarationScan {
 public:
  explicit DeclarationScan(const Code& code) : m_code(code) {}

  std::vector<FreeFunction> functions() {
    scan({0, m_code.size()}, "");
    return std::move(m_functions);
  }

 private:
  void scan(Range range, const std::string& space) {
    for (std::size_t at = range.begin; at < range.end;) at = past_declaration(at, range.end, space);
  }

  std::size_t past_declaration(std::size_t begin, std::size_t end, const std::string& space) {
    std::size_t name = end;  // of what may be a function
    bool has_body = false;   // where braces follow
    bool is_variable = false;
    bool after_colon = false;  // in the list of what a constructor initialises
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view text = m_code.text(i);
      if (m_code.is_directive(i) || text == ";" || text == "}") return i + 1;
      if (text == "=") is_variable = true;
      if (text == ":") after_colon = true;
      if (text == "(") {
        has_body = !is_variable;
        if (is_function_name(begin, i) && !after_colon) name = i - 1;
        i = past(i, end) - 1;
      } else if (text == "[") {
        i = past(i, end) - 1;
      } else if (text == "{") {
        if (const auto inner = namespace_before(begin, i, space)) {
          scan({i + 1, past(i, end) - 1}, *inner);
          return past(i, end);
        }
        if (name < end && !is_variable) add({begin, name}, name, space);
        if (has_body && !is_variable) return past(i, end);
        i = past(i, end) - 1;
      }
    }
    return end;
  }

  // The place after the bracket that closes the one at `i`.
  [[nodiscard]] std::size_t past(std::size_t i, std::size_t end) const {
    return std::min(m_code.partner(i), end - 1) + 1;
  }

  // Whether the bracket follows the name of a function: there is a type before it, and neither an
  // attribute nor a class owns the bracket.
  [[nodiscard]] bool is_function_name(std::size_t begin, std::size_t open) const {
    if (open < begin + 2 || !m_code.is_name(open - 1) || m_code.text(open - 2) == "::")
      return false;
    return !is_one_of(m_code.text(open - 1),
                      {"__attribute__", "__launch_bounds__", "alignas", "decltype", "noexcept",
                       "requires", "static_assert", "throw"});
  }

  // The names that lead into a namespace's braces; none of other braces.
  [[nodiscard]] std::optional<std::string> namespace_before(std::size_t begin, std::size_t brace,
                                                            const std::string& space) const {
    if (m_code.text(begin) == "extern" && brace == begin + 2) return space;  // extern "C" {
    const std::size_t word = m_code.text(begin) == "inline" ? begin + 1 : begin;
    if (m_code.text(word) != "namespace") return std::nullopt;
    std::string inner = space;
    for (std::size_t i = word + 1; i < brace; ++i) {
      if (m_code.is_name(i)) inner += std::string(m_code.text(i)) + "::";
    }
    return inner;
  }

  void add(Range head, std::size_t name, const std::string& space) {
    const bool for_gpu = m_code.uses(head, "__global__") ||
                         (m_code.uses(head, "__device__") && !m_code.uses(head, "__host__"));
    if (for_gpu) return;
    const auto has = [&](std::string_view word) {
      for (std::size_t i = head.begin; i < head.end; ++i) {
        if (m_code.text(i) == word) return true;
      }
      return false;
    };
    m_functions.push_back({.name = space + std::string(m_code.text(name)),
                           .returns_tensors = has("Tensor") || has("TensorList"),
                           .is_template = m_code.text(head.begin) == "template"});
  }

  const Code& m_code;
  std::vector<FreeFunction> m_functions;
};

std::string first_name(std::string_view source,
                       const std::function<bool(std::string_view)>& is_wanted) {
  for (const Token& token : tokenize(source)) {
    if (token.kind == TokenKind::identifier && is_wanted(token.text)) {
      return std::string(token.text);
    }
  }
  return {};
}

bool includes_python(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source);
  return std::ranges::any_of(tokens, [](const Token& token) {
    return token.kind == TokenKind::directive && token.text.find("include") != token.text.npos &&
           token.text.find("Python.h") != token.text.npos;
  });
}

}  // namespace

std::vector<FreeFunction> free_functions(std::string_view source) {
  const Code code(source);
  return DeclarationScan(code).functions();
}

bool writes_module(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source);
  return std::ranges::any_of(tokens, [](const Token& token) {
    if (token.kind == TokenKind::identifier) {
      return is_one_of(token.text, {"PYBIND11_MODULE", "rkb_kernel_module"});
    }
    // A macro may stand for the module.
    return token.kind == TokenKind::directive &&
           token.text.find("PYBIND11_MODULE") != token.text.npos;
  });
}

bool offers_entry_point(std::string_view source, const std::string& name) {
  if (writes_module(source)) return source.find('"' + name + '"') != source.npos;
  const std::vector<FreeFunction> functions = free_functions(source);
  return std::ranges::find(functions, name, &FreeFunction::name) != functions.end();
}

std::string registration_with_torch(std::string_view source) {
  return first_name(source, [](std::string_view name) {
    return name.starts_with("TORCH_LIBRARY") || name.starts_with("STABLE_TORCH_LIBRARY");
  });
}

std::string registration_with_python(std::string_view source) {
  std::string name = first_name(source, [](std::string_view word) {
    return word.starts_with("PyInit_") || is_one_of(word, {"PyMODINIT_FUNC", "PyModule_Create",
                                                           "NB_MODULE", "BOOST_PYTHON_MODULE"});
  });
  if (name.empty() && includes_python(source)) name = "Python.h";
  return name;
}

}  // namespace robust_kbench
