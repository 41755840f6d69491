#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace robust_kbench {

// Prints the progress of slow work on stderr every ten seconds, as "layernorm.forward.mine: 12 of
// 60 cases, 34 s". So a growing log never falls silent. A terminal gets none of it where it
// has a line that is rewritten. The first update is printed at once. Texts may come from kernels,
// and each stays on its line. Any thread may call.
class ProgressPulse {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // Its own thread reads the clock. It starts with the first update, so that it runs in the right
  // process after a fork.
  ProgressPulse();
  // Only look() reads the clock. It prints on a terminal, too.
  explicit ProgressPulse(Now now);

  // `item` is at `stage`. Its seconds are counted from its first update.
  void update(const std::string& item, const std::string& stage);
  void finish(const std::string& item);  // its end has been printed
  // Prints the last update if nothing was printed for ten seconds.
  void look();

 private:
  void start_looking();

  std::mutex m_mutex;
  const Now m_now;
  std::map<std::string, std::chrono::steady_clock::time_point> m_begun;  // by item
  std::string m_item;                                                    // updated last
  std::string m_stage;
  std::chrono::steady_clock::time_point m_said;
  bool m_looks_itself = false;
  bool m_is_first = true;
  std::jthread m_looking;  // last, so that it ends before the members that it uses
};

}  // namespace robust_kbench
