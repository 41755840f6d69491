#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transform/statement.hpp"

namespace robust_kbench {

// A write to a variable or to an element of memory.
struct Assignment {
  std::string target;          // the name that the statement has on its left
  std::vector<Range> indices;  // empty: the variable itself
  Range place;                 // the whole left side
  std::string operation;       // = += -= *= and the like; ++ is +=, -- is -=
  Range value;                 // empty for ++ and --
};

// The write of an expression statement that writes one variable or element and does nothing else.
std::optional<Assignment> assignment_of(const Code& code, Range statement);

// Whether a range holds an operator that writes, such as = and ++.
bool writes(const Code& code, Range range);

// An element `name[index]...` or `name(index, ...)` of which a range speaks.
struct Element {
  std::string name;
  std::vector<Range> indices;
  Range range;
};
std::vector<Element> elements_of(const Code& code, Range range);

}  // namespace robust_kbench
