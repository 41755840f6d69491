#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace robust_kbench {

// Says on stderr every ten seconds how far work is that takes long, where that is no terminal:
// "layernorm.forward.mine: 12 of 60 cases, 34 s". So a log that is read while it grows never falls
// silent. Texts may be of kernels, and each stays on its line. Any thread may call.
class ProgressPulse {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // Its own thread looks at the clock. It starts with the first update, in whatever process that
  // is.
  ProgressPulse();
  // Nobody looks at the clock but look(). It speaks on a terminal, too.
  explicit ProgressPulse(Now now);

  // `item` is at `stage`. Its seconds are counted from its first update.
  void update(const std::string& item, const std::string& stage);
  void finish(const std::string& item);  // which its reader was told
  // Says what was updated last, where nothing was said for ten seconds.
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
  std::jthread m_looking;  // last, so that it ends before what it uses
};

}  // namespace robust_kbench
