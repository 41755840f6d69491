#pragma once

#include <mutex>
#include <string>

#include "report/progress_line.hpp"
#include "report/progress_pulse.hpp"

namespace robust_kbench {

// Shows on stderr how far slow work is. A terminal has a bar that is rewritten, and elsewhere there
// is a line every ten seconds. Any thread may call.
class ProgressDisplay {
 public:
  // `item` is at `stage`, and `share` of all work is done, from 0 to 1.
  void update(const std::string& item, const std::string& stage, double share);
  // An item has ended. `line` stays; empty: nothing does.
  void end(const std::string& item, const std::string& line = "");

 private:
  std::mutex m_mutex;  // of the line
  ProgressLine m_line;
  ProgressPulse m_pulse;
};

}  // namespace robust_kbench
