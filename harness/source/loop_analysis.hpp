#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/statement.hpp"

namespace robust_kbench {

// How an expression moves when a loop's variable grows by one.
enum class Movement {
  none,
  unit,    // by one
  scaled,  // by a factor that the loop does not change
  unknown
};

// A write to a variable or to an element of memory.
struct Assignment {
  std::string target;          // the name that the statement has on its left
  std::vector<Range> indices;  // empty: the variable itself
  Range place;                 // the whole left side
  std::string operation;       // = += -= *= /= and the like; ++ and -- are += and -=
  Range value;
};

// A scalar of outside of a loop that the loop adds to, or of which it keeps an extreme.
struct Reduction {
  std::string variable;
  std::string operation;  // + * max min, as OpenMP names them
};

// What a loop does to memory and to variables of outside.
struct LoopFacts {
  bool understood = false;        // each statement is one that the analysis knows
  bool independent = false;       // no iteration needs or overwrites what another one writes
  bool only_accumulates = false;  // like independent, except that it may add to the same elements
  bool has_inner_loop = false;
  bool leaves = false;  // return, break and the like, beside `continue` of the loop itself
  bool writes_memory = false;
  std::vector<Reduction> reductions;
  std::set<std::string> calls;  // functions of the standard library for floating point numbers
};

// One loop of a function, with what is known of the names in it.
class LoopAnalysis {
 public:
  LoopAnalysis(const Code& code, const std::vector<Function>& functions,
               const SourceStatement& loop);

  [[nodiscard]] const LoopFacts& facts() const { return m_facts; }
  // How an expression in the body moves with the loop's variable.
  [[nodiscard]] Movement movement(Range expression) const;
  [[nodiscard]] bool depends(Range expression) const;
  // The names that are declared in the body, those of inner loops among them.
  [[nodiscard]] const std::set<std::string>& locals() const { return m_locals; }
  // The declarations of a name in the body.
  [[nodiscard]] std::vector<const SourceStatement*> declarations(const std::string& name) const;
  // The names that the body writes, after their declarations.
  [[nodiscard]] const std::set<std::string>& written() const { return m_written; }
  [[nodiscard]] const std::vector<Assignment>& assignments() const { return m_assignments; }
  // How many elements of memory the body reads or writes side by side, less those that it does
  // not. Without inner loops' variables where `innermost` is false.
  [[nodiscard]] int contiguity() const;

 private:
  struct Motion {
    Movement movement = Movement::none;
    bool shared = false;  // an inner loop's variable reaches the same elements
  };
  void gather();
  void judge();
  void judge(const SourceStatement& statement, bool own_level, bool conditional,
             std::string_view guard);
  void judge_calls(Range range);
  void judge_write(const Assignment& assignment);
  void judge_reads();
  bool reduce(const Assignment& assignment);
  bool reduce_by_condition(const SourceStatement& statement);
  void add_reduction(const std::string& variable, const std::string& operation);
  [[nodiscard]] Motion motion(Range expression, int depth = 0) const;
  [[nodiscard]] Motion motion_of_term(Range term, int depth) const;
  [[nodiscard]] Motion motion_of_place(const std::string& name, const std::vector<Range>& indices,
                                       int depth) const;
  [[nodiscard]] bool moves_inside(Range expression) const;
  [[nodiscard]] std::string root(const std::string& name) const;

  const Code& m_code;
  const std::vector<Function>& m_functions;
  const SourceStatement& m_loop;
  std::vector<const SourceStatement*> m_statements;
  std::set<std::string> m_locals;
  std::set<std::string> m_inner;  // variables of inner loops, and what is made of them
  std::set<std::string> m_written;
  std::vector<Assignment> m_assignments;
  LoopFacts m_facts;
};

// What an expression statement writes, if that is all that it does.
std::optional<Assignment> assignment_of(const Code& code, Range statement);

// The functions called in a range that the analysis does not know to be free of side effects.
// Others are functions of the standard library, conversions, and functions of the source that only
// read. Those of the standard library for floating point numbers are added to `math`.
std::vector<std::string> unknown_calls(const Code& code, const std::vector<Function>& functions,
                                       Range range, std::set<std::string>& math);

}  // namespace robust_kbench
