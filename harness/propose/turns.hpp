#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace robust_kbench {

// Gives turns to several, each of whom has a share of them. Equal shares alternate in their order.
// With two, each has had its share to within one turn at any time.
class Turns {
 public:
  // Shares are positive, in any unit. Ones with finite shares have the turns that an infinite one
  // declines.
  explicit Turns(std::vector<double> shares = {});

  // Offers the next turn to one after another, until `takes` is true for one. One that declines
  // loses that turn, and does not make up for it. Where all decline, nothing changes and it is
  // false.
  bool offer(const std::function<bool(std::size_t index)>& takes);

 private:
  std::vector<double> m_steps;   // what a turn costs each: less for a greater share
  std::vector<double> m_passed;  // sums of steps; the one that would have least is next
};

}  // namespace robust_kbench
