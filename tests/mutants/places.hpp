#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "source/code.hpp"

namespace robust_kbench::mutants {

// Where in a source an edit makes sense.
class Places {
 public:
  explicit Places(const Code& code);

  // The tokens of function bodies with this text. Those of checks of arguments, of the binding and
  // of directives are left out, since an error there is of another kind.
  [[nodiscard]] std::vector<std::size_t> of(std::string_view text) const;
  [[nodiscard]] bool is_in_body(std::size_t i) const { return m_in_body[i]; }
  // The innermost bracket around a token; size() of the code where there is none.
  [[nodiscard]] std::size_t bracket(std::size_t i) const { return m_brackets[i]; }
  // Whether a token stands in an index or in the head of a loop, directly or further in.
  [[nodiscard]] bool is_in_index(std::size_t i) const;
  [[nodiscard]] bool is_in_loop_head(std::size_t i) const;

 private:
  const Code& m_code;
  std::vector<std::size_t> m_brackets;
  std::vector<bool> m_in_body;
};

// The `(` of each `name(` with at least as many arguments, in function bodies.
std::vector<std::size_t> calls_of(const Code& code, const std::vector<std::string_view>& name,
                                  std::size_t arguments);

// The parts of what stands between a bracket and its partner.
std::vector<Range> arguments_of(const Code& code, std::size_t bracket);

}  // namespace robust_kbench::mutants
