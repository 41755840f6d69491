#pragma once

#include <string>
#include <vector>

#include "source/code.hpp"

namespace robust_kbench {

enum class StatementKind {
  declaration,  // of one name
  expression,
  loop,  // `for (T i = first; i < bound; ++i)` or with another step
  conditional,
  block,
  jump,
  pragma,
  other  // whatever the rules do not look into
};

struct Declaration {
  Range type;
  std::string name;
  Range initialiser;  // empty: none
  Range extents;      // of an array, with its brackets
};

struct LoopHeader {
  Range type;
  std::string variable;
  Range first;
  std::string compare;  // < or <= or !=
  Range bound;
  Range step;  // empty: 1
};

struct SourceStatement {
  StatementKind kind = StatementKind::other;
  Range range;  // with its braces or its semicolon
  Declaration declaration;
  LoopHeader loop;
  Range condition;  // of a conditional
  std::vector<SourceStatement>
      children;  // what a loop, a block or a condition's first branch holds
  std::vector<SourceStatement> otherwise;
};

// The statements of a function's body, a loop's or the like.
std::vector<SourceStatement> parse_statements(const Code& code, Range range);

struct Function {
  std::string name;  // empty: a lambda's
  Range head;        // from the type to the parameters' end
  Range parameters;  // without their brackets
  Range body;        // with its braces
  std::vector<SourceStatement> statements;
};

// The functions of a source in its order; a lambda comes after the function that it is in.
std::vector<Function> parse_functions(const Code& code);

// The loops of a list of statements, outer ones first, at any depth.
std::vector<const SourceStatement*> loops_of(const std::vector<SourceStatement>& statements);

// All statements of a list, at any depth.
std::vector<const SourceStatement*> all_of(const std::vector<SourceStatement>& statements);

// A statement and all in it, at any depth.
std::vector<const SourceStatement*> all_in(const SourceStatement& statement);

// Whether a statement is a loop or has one in it.
bool holds_loop(const SourceStatement& statement);

}  // namespace robust_kbench
