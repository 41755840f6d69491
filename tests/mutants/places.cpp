#include "places.hpp"

namespace robust_kbench::mutants {
namespace {

// Whether the bracket opens what a check of arguments or the binding holds.
bool opens_no_body(const Code& code, std::size_t i) {
  if (i == 0) return false;
  const std::string_view before = code.text(i - 1);
  if (before.starts_with("TORCH_CHECK") || before.starts_with("CHECK_")) return true;
  return before == ")" && code.partner(i - 1) > 0 &&
         code.text(code.partner(i - 1) - 1) == "PYBIND11_MODULE";
}

}  // namespace

Places::Places(const Code& code)
    : m_code(code), m_brackets(code.size(), code.size()), m_in_body(code.size(), false) {
  std::vector<std::size_t> open;
  std::vector<bool> body{false};
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view text = code.text(i);
    const bool closes = text == ")" || text == "]" || text == "}";
    if (closes && !open.empty()) {
      open.pop_back();
      body.pop_back();
    }
    if (!open.empty()) m_brackets[i] = open.back();
    m_in_body[i] = body.back() && !code.is_directive(i);
    if (text == "(" || text == "[" || text == "{") {
      const bool begins =
          text == "{" && i > 0 && (code.text(i - 1) == ")" || code.text(i - 1) == "const");
      body.push_back((body.back() || begins) && !opens_no_body(code, i));
      open.push_back(i);
    }
  }
}

std::vector<std::size_t> Places::of(std::string_view text) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < m_code.size(); ++i) {
    if (m_in_body[i] && m_code.text(i) == text) places.push_back(i);
  }
  return places;
}

bool Places::is_in_index(std::size_t i) const {
  for (std::size_t b = m_brackets[i]; b < m_code.size(); b = m_brackets[b]) {
    if (m_code.text(b) == "[") return true;
  }
  return false;
}

bool Places::is_in_loop_head(std::size_t i) const {
  for (std::size_t b = m_brackets[i]; b < m_code.size(); b = m_brackets[b]) {
    if (m_code.text(b) == "(" && b > 0 && m_code.text(b - 1) == "for") return true;
  }
  return false;
}

std::vector<std::size_t> calls_of(const Code& code, const std::vector<std::string_view>& name,
                                  std::size_t arguments) {
  const Places places(code);
  std::vector<std::size_t> calls;
  for (std::size_t i = 0; i + name.size() < code.size(); ++i) {
    const std::size_t open = i + name.size();
    if (!places.is_in_body(i) || !code.spells(i, name) || code.text(open) != "(") continue;
    if (arguments_of(code, open).size() >= arguments) calls.push_back(open);
  }
  return calls;
}

std::vector<Range> arguments_of(const Code& code, std::size_t bracket) {
  return code.parts({bracket + 1, code.partner(bracket)});
}

}  // namespace robust_kbench::mutants
