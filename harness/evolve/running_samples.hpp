#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "archive/journal.hpp"
#include "evolve/sample.hpp"

namespace robust_kbench {

// The samples of a run that are on their way. A phase of a sample has a thread of its own. Where
// samples come one by one, it is done when it is waited for. One piece of work may go on beside
// them.
class RunningSamples {
 public:
  // The journal outlives this object, as does all that a phase uses.
  RunningSamples(Journal& journal, bool one_by_one);

  Sample& add(std::unique_ptr<Sample> sample);
  void start(Sample& sample, std::function<void()> phase);
  // Starts work beside the samples. They must not come one by one, and nothing may be beside them
  // yet.
  void start_beside(std::function<void()> work);
  // The next sample whose phase ends, as the journal says for this step of the loop. It is null
  // where the work beside the samples has ended. At least one must be under way. Throws the phase's
  // exception.
  Sample* wait_for_one(int step);
  void remove(const Sample& sample);
  // Waits for all that are under way.
  void clear() {
    m_samples.clear();
    m_beside = {};
  }

  [[nodiscard]] bool empty() const { return m_samples.empty(); }
  [[nodiscard]] bool any_beside() const { return m_beside.valid(); }
  [[nodiscard]] bool is_idle() const { return empty() && !any_beside(); }
  [[nodiscard]] int size() const { return static_cast<int>(m_samples.size()); }
  [[nodiscard]] int count(Sample::Phase phase) const;
  // Whether any is under way, and does not wait to be ranked, or something goes on beside them.
  [[nodiscard]] bool any_busy() const { return !busy().empty(); }
  [[nodiscard]] std::vector<Sample*> all() const;  // in the order of their ids

 private:
  // Runs the work in a thread, or when it is waited for.
  std::future<void> begin(std::int64_t id, std::function<void()> work);
  [[nodiscard]] std::vector<std::int64_t> busy() const;  // ids

  Journal& m_journal;
  const bool m_one_by_one;
  std::mutex m_mutex;
  std::condition_variable m_one_finished;
  std::deque<std::int64_t> m_finished;                        // ids, in this order
  std::map<std::int64_t, std::unique_ptr<Sample>> m_samples;  // ends before all that it uses
  std::future<void> m_beside;                                 // as does this
};

}  // namespace robust_kbench
