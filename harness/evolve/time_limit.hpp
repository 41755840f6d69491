#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "archive/archive.hpp"
#include "evolve/journal.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The class of the reason for which a candidate is refused that the end of the time has cut short.
// It says nothing of the kernel.
inline constexpr const char* time_limit = "time_limit";
bool was_cut_short(const ProposalRow& row);

// Thrown where the end of the time cuts short what is done for a candidate.
struct TimeIsOver {};

// Ends what is done for candidates when a run has just the time left that its confirmation needs.
// The journal keeps what was cut short, so that it is in a run that goes on, and in a replay.
class TimeLimit {
 public:
  // `search` is requested to stop then. All that candidates wait for must throw Cancelled at that.
  // The journal outlives this object.
  TimeLimit(Journal& journal, std::stop_source search)
      : m_journal(journal), m_search(std::move(search)) {}

  // Asks now and then, in a thread of its own, whether the time is over. A replay does not ask.
  void watch(std::function<bool()> is_over);
  void end_watch();

  // Does it. Throws TimeIsOver where the end of the time has cut it short, now or in the run that
  // the journal knows. The name tells it from all else in the run.
  void run(const std::string& name, const std::function<void()>& work);
  // The same for an effect of the journal. None begins after the end.
  nlohmann::json once(const std::string& key, const std::function<nlohmann::json()>& effect);

 private:
  bool is_over();

  Journal& m_journal;
  std::stop_source m_search;
  std::function<bool()> m_asked;  // none: nobody watches
  std::atomic<bool> m_over = false;
  std::jthread m_watching;  // ends before all that it uses
};

}  // namespace robust_kbench
