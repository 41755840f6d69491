#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

#include "bench/kernel_timer.hpp"
#include "core/case.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/timing_slot.hpp"

namespace robust_kbench {

// A kernel that is to be timed.
struct Race {
  BuiltKernel kernel;
  std::vector<BuiltKernel> rivals = {};
  std::vector<Config> configs;
  BenchRun run = {};
  // Called with the result, and with the kernel's share of the race's seconds, before its workers
  // end.
  std::function<void(const BenchResult&, KernelTimer&, double seconds)> on_result;
  std::stop_token stop = {};
  bool together = false;    // with others
  bool goes_first = false;  // before others that wait
};

// Times kernels in the order in which they come, but for those that go first. Those that wait to
// race together against the same rivals do so as soon as the first of them has its turn. It waits
// some seconds for those that are coming, while the workers of all that are there start. So the
// rivals' start once. A turn takes as many as it has memory for. Where the harness fails, or a
// kernel is rejected, all of that race are timed again alone, as another one may be the cause.
class RaceQueue {
 public:
  // The arguments must outlive this object.
  RaceQueue(TimingSlot& slot, const EvaluatorOptions& options) : m_slot(slot), m_options(options) {}

  // A race that will come, unless its kernel fails before.
  class Coming {
   public:
    // The arguments outlive this object.
    Coming(RaceQueue& queue, const Race& race);
    ~Coming();
    Coming(const Coming&) = delete;
    Coming& operator=(const Coming&) = delete;

   private:
    friend class RaceQueue;

    RaceQueue& m_queue;
    const Race& m_race;
    const std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
  };

  // Waits until the kernel has been timed. Another thread that waits here may do it, and calls the
  // race's functions. Throws Cancelled once the race's stop is requested, and what bench() throws.
  void time(const Race& race);

 private:
  struct Entry {
    const Race& race;
    bool alone;
    bool done = false;
    std::exception_ptr error = nullptr;
  };

  // How many kernels share the race that begins with this one.
  [[nodiscard]] std::size_t places(const Entry& first) const;
  using Moment = std::chrono::steady_clock::time_point;

  void line_up(Entry& entry);
  // Takes at most `places` that race together with the first one out of the queue. Where there are
  // none, it waits for those that are coming, until the deadline.
  std::vector<Entry*> joining(const Entry& first, std::size_t places, Moment deadline);
  // Times the first of the queue, and settles it and those that join, or queues each again.
  void run(std::unique_lock<std::mutex>& lock);
  // Adds those that join. False where a kernel of a shared race was rejected. Then nobody is told a
  // result.
  bool run_turn(std::vector<Entry*>& entries);

  TimingSlot& m_slot;
  const EvaluatorOptions& m_options;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::deque<Entry*> m_waiting;
  std::vector<Coming*> m_coming;
  bool m_running = false;
};

}  // namespace robust_kbench
