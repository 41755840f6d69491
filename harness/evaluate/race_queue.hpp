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
  bool together = false;    // may share a race
  bool goes_first = false;  // before other waiting races
};

// Times kernels in the order of their arrival, except that some have priority. Kernels that wait to
// race together against the same rivals share the turn of the first of them, so the rivals' workers
// start once.
//
// The first waits some seconds for kernels that are still tested, while the workers of the others
// start. A turn takes as many kernels as its memory allows. If the harness fails or a kernel is
// rejected, each kernel of the race is timed again alone, since another may be the cause.
class RaceQueue {
 public:
  // The arguments must outlive this object.
  RaceQueue(TimingSlot& slot, const EvaluatorOptions& options) : m_slot(slot), m_options(options) {}

  // An announced race, which is dropped if its kernel fails before.
  class Coming {
   public:
    // The arguments must outlive this object.
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

  // Waits until the kernel has been timed. Another waiting thread may time it and call the race's
  // functions. Throws Cancelled once the race's stop is requested, and whatever bench() throws.
  void time(const Race& race);

 private:
  struct Entry {
    const Race& race;
    bool alone;
    bool done = false;
    std::exception_ptr error = nullptr;
  };

  // The number of kernels that may share the race that begins with this one.
  [[nodiscard]] std::size_t places(const Entry& first) const;
  using Moment = std::chrono::steady_clock::time_point;

  void line_up(Entry& entry);
  // Removes at most `places` kernels that may join the first one's race from the queue. Where there
  // are none, it waits for announced races, until the deadline.
  std::vector<Entry*> joining(const Entry& first, std::size_t places, Moment deadline);
  // Times the first of the queue with the kernels that join it. Then it completes these entries, or
  // queues each again alone.
  void run(std::unique_lock<std::mutex>& lock);
  // Adds the entries that join. Returns false without telling any result where a kernel of a shared
  // race was rejected.
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
