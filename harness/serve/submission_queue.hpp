#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace robust_kbench {

// A queue of work for some threads, first come, first served. The destructor finishes the waiting
// work, too.
class SubmissionQueue {
 public:
  using Ticket = std::uint64_t;
  // Work returns a function that is called as soon as its place is free. Neither throws.
  using Work = std::function<std::function<void()>()>;

  // `capacity` limits the work that waits or is being done.
  SubmissionQueue(int threads, std::size_t capacity);
  ~SubmissionQueue();
  SubmissionQueue(const SubmissionQueue&) = delete;
  SubmissionQueue& operator=(const SubmissionQueue&) = delete;

  // Adds work; none: the queue is full.
  std::optional<Ticket> push(Work work);
  // Removes waiting work. Returns false where it has begun.
  bool remove(Ticket ticket);
  [[nodiscard]] std::size_t capacity() const { return m_capacity; }

 private:
  void work();

  const std::size_t m_capacity;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<std::pair<Ticket, Work>> m_waiting;
  std::size_t m_under_way = 0;
  Ticket m_next = 0;
  bool m_ending = false;
  std::vector<std::jthread> m_threads;  // last: they use the others
};

}  // namespace robust_kbench
