#pragma once

#include <set>
#include <string>
#include <vector>

#include "transform/assignment.hpp"

namespace robust_kbench {

// How an expression changes when a loop's variable grows by one.
enum class Movement {
  none,
  unit,    // by one
  scaled,  // by a factor that is the same in all iterations
  unknown
};

struct Motion {
  Movement movement = Movement::none;
  bool by_number = false;  // the factor is a number of the source
  bool shared = false;     // an inner loop moves it in the same steps, so that values may repeat
  std::set<std::string> factors = {};  // what is in the factor, in names outside of the loop
};

// How the expressions in a loop's body move with its variable.
class MovementAnalysis {
 public:
  // `functions` are those of the source. They tell what names outside of the loop are made of.
  MovementAnalysis(const Code& code, const std::vector<Function>& functions,
                   const SourceStatement& loop);

  [[nodiscard]] Motion motion(Range expression) const { return motion(expression, 0); }
  // The address of an element, with what the pointer was made of in the body.
  [[nodiscard]] Motion motion(const std::string& name, const std::vector<Range>& indices) const;
  [[nodiscard]] bool depends(Range expression) const;
  [[nodiscard]] bool depends(const std::string& name) const { return m_dependent.contains(name); }
  // The names that the body declares, those of inner loops among them.
  [[nodiscard]] const std::set<std::string>& locals() const { return m_locals; }
  // The pointer of outside from which a pointer of the body is made, or the name itself.
  [[nodiscard]] std::string root(const std::string& name) const;
  // Elements in a range that lie side by side for successive iterations, less those whose distance
  // is that of rows or is not known.
  [[nodiscard]] int contiguity(Range range) const;
  // Whether the body writes a name of its own after its declaration.
  [[nodiscard]] bool is_written(const std::string& name) const { return m_written.contains(name); }

 private:
  [[nodiscard]] Motion motion(Range expression, int depth) const;
  [[nodiscard]] Motion motion_of_term(Range term, int depth) const;
  [[nodiscard]] Motion motion_of_name(const std::string& name, int depth) const;
  [[nodiscard]] bool moves_inside(Range expression) const;
  [[nodiscard]] Range stripped(Range expression) const;
  [[nodiscard]] bool repeats(const Motion& motion, Range inside) const;
  void add_origins(Range expression, std::set<std::string>& names) const;
  void find_dependent();

  const Code& m_code;
  const SourceStatement& m_loop;
  std::vector<const SourceStatement*> m_statements;
  std::vector<const SourceStatement*> m_outside;  // declarations and loops of the functions around
  std::set<std::string> m_locals;
  std::set<std::string> m_dependent;  // names whose values differ between iterations
  std::set<std::string> m_inner;      // variables of inner loops, and what is made of them
  std::set<std::string> m_written;    // locals that are written after their declaration
};

}  // namespace robust_kbench
