#pragma once

#include <string>

#include "core/statistics.hpp"

namespace robust_kbench {

// How many of `of` things have a property. `of` may be 0.
struct Proportion {
  int count = 0;
  int of = 0;

  [[nodiscard]] double share() const { return of == 0 ? 0 : static_cast<double>(count) / of; }
  friend bool operator==(const Proportion&, const Proportion&) = default;
};

// Wilson's 95 % score interval of the share (1927). Unlike the usual interval about the mean, it
// holds for few things and for shares near 0 and 1. It is 0 to 1 where there are no things.
Interval wilson_interval(const Proportion& proportion);

// "0.83 (0.66..0.93), 25 of 30"; "-, 0 of 0".
std::string to_text(const Proportion& proportion);

}  // namespace robust_kbench
