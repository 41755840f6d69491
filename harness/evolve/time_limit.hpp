#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "archive/archive.hpp"
#include "archive/journal.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Whether the end of the time cut the candidate short.
bool was_cut_short(const ProposalRow& row);

// Thrown where the end of the time cuts short the work for a candidate.
struct TimeIsOver {
  std::string reason = "the run's minutes were over before it was decided";
};

// The seconds that a run is likely to need at its end.
struct SecondsToKeep {
  double confirmation = 0;
  double finishing = 0;  // of a candidate that has won its first race
};

// Ends the work for candidates when the run's time is over. Once a kernel awaits its confirmation,
// that is when just the time for this is left. Else it is the end of the minutes. Where a candidate
// has won its first race, and just the time for it and its confirmation is left, first races of
// others end. None of these could still be confirmed. The journal keeps which work was cut short,
// so that it is so in a run that goes on, and in a replay.
class TimeLimit {
 public:
  // Requests `search` to stop at the end, and `first_races` when these end. All that candidates
  // wait for must throw Cancelled at that. The journal outlives this object.
  TimeLimit(Journal& journal, std::stop_source search, std::stop_source first_races)
      : m_journal(journal), m_search(std::move(search)), m_first_races(std::move(first_races)) {}

  // Asks now and then, in a thread of its own, how many of the run's seconds are left. A replay
  // does not ask.
  void watch(std::function<double()> seconds_left, const SecondsToKeep& keep);
  void end_watch();
  // Whether a kernel awaits its confirmation. At first none does.
  void keep_time_to_confirm(bool is_awaited) { m_is_awaited = is_awaited; }

  // While one lives, a candidate that has won its first race is on its way.
  class Finishing {
   public:
    explicit Finishing(TimeLimit& limit) : m_limit(limit) { ++m_limit.m_finishing; }
    ~Finishing() { --m_limit.m_finishing; }
    Finishing(const Finishing&) = delete;
    Finishing& operator=(const Finishing&) = delete;

   private:
    TimeLimit& m_limit;
  };

  // Does the work. Throws TimeIsOver where the end of the time has cut it short, now or in the run
  // that the journal knows. The name tells it from all else in the run.
  void run(const std::string& name, const std::function<void()>& work);
  // Causes an effect of the journal under the same limit. None begins after the end.
  // once_at_first() is for first races, and for the evaluations before them.
  nlohmann::json once(const std::string& key, const std::function<nlohmann::json()>& effect);
  nlohmann::json once_at_first(const std::string& key,
                               const std::function<nlohmann::json()>& effect);
  // Throws TimeIsOver where too little is left to confirm a kernel that has won a race. The name is
  // as that of run().
  void require_time_to_confirm(const std::string& name);

 private:
  // Whether the time is over by the clock, too.
  bool is_over();
  bool are_first_races_over();
  [[noreturn]] void cut_short(const std::string& key);
  void run(bool at_first, const std::string& name, const std::function<void()>& work);

  Journal& m_journal;
  std::stop_source m_search;
  std::stop_source m_first_races;
  std::function<double()> m_seconds_left;  // none: nobody watches
  SecondsToKeep m_keep;
  std::atomic<bool> m_is_awaited = false;
  std::atomic<int> m_finishing = 0;
  std::atomic<bool> m_over = false;
  std::atomic<bool> m_first_races_over = false;
  std::jthread m_watching;  // ends before all that it uses
};

}  // namespace robust_kbench
