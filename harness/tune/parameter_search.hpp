#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "source/split_mix.hpp"
#include "tune/tunables.hpp"

namespace robust_kbench {

// Chooses which settings of a space are tried, in which order, with at most `budget` evaluations. A
// space that fits in the budget is tried whole. Else the current setting and the given ones come
// first, then a tenth of the budget at random. From there on an evolution strategy (1+1) changes
// the best one so far. After 100 evaluations a steady-state genetic algorithm over the ten best
// takes over. Equal random seeds and answers give equal questions.
class ParameterSearch {
 public:
  // Given settings that the space does not allow are left out.
  ParameterSearch(TunableSpace space, std::uint64_t seed, int budget,
                  std::vector<Setting> given = {});

  // The next setting, never one that was asked before; nothing when the budget is spent or no
  // setting is left. Several may be asked before the first is told.
  std::optional<Setting> ask();

  // The cost of a setting that was asked, lower is better, in any unit; nothing for one that
  // failed.
  void tell(const Setting& setting, std::optional<double> cost);

 private:
  using Point = std::vector<std::size_t>;  // for each tunable the index of its value

  struct Evaluation {
    Point point;
    double cost;
  };

  Setting setting(const Point& point) const;
  Point point(const Setting& setting) const;
  bool is_new(const Point& point) const;
  std::size_t values(std::size_t tunable) const;
  std::vector<Point> all_allowed() const;
  Point random_point();
  void change(Point& point, std::size_t tunable);
  Point mutated(Point point);
  Point crossed();
  Point proposal();
  std::optional<Point> next_point();

  TunableSpace m_space;
  SplitMix m_random;
  int m_budget;
  std::vector<std::size_t> m_variable;  // the tunables that have more than one value
  std::vector<Point> m_planned;  // in reverse: current and given settings, in a small space all
  std::size_t m_starts = 0;      // current and given settings
  bool m_whole = false;          // all of the space fits in the budget
  std::set<Point> m_asked;
  std::vector<Evaluation> m_best;  // ascending by cost, at most ten
  int m_told = 0;
};

}  // namespace robust_kbench
