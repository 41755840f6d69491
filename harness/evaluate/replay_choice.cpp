#include "evaluate/replay_choice.hpp"

#include "core/error.hpp"

namespace robust_kbench {

Replay asked_replay(const std::string& judge, bool require_replay) {
  if (require_replay && judge == "in_process") {
    throw UserError(
        "a replay is required, and kernels are to be judged in_process; leave one of the two out");
  }
  if (require_replay || judge == "replay") return Replay::always;
  return judge.empty() ? Replay::if_possible : Replay::never;
}

ReplayChoice chosen_replay(Replay asked, bool timed_on_gpu, const std::string& missing) {
  if (asked != Replay::if_possible) return {.mode = asked};
  if (!timed_on_gpu) return {};
  if (!missing.empty()) return {.missing = missing};
  return {.mode = Replay::always};
}

}  // namespace robust_kbench
