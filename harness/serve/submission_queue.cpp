#include "serve/submission_queue.hpp"

#include <algorithm>

namespace robust_kbench {

SubmissionQueue::SubmissionQueue(int threads, std::size_t capacity) : m_capacity(capacity) {
  for (int i = 0; i < threads; ++i) m_threads.emplace_back([this] { work(); });
}

SubmissionQueue::~SubmissionQueue() {
  const std::scoped_lock lock(m_mutex);
  m_ending = true;
  m_changed.notify_all();
}

std::optional<SubmissionQueue::Ticket> SubmissionQueue::push(Work work) {
  const std::scoped_lock lock(m_mutex);
  if (m_waiting.size() + m_under_way >= m_capacity) return std::nullopt;
  m_waiting.emplace_back(++m_next, std::move(work));
  m_changed.notify_one();
  return m_next;
}

bool SubmissionQueue::remove(Ticket ticket) {
  Work removed;  // ends after the lock
  const std::scoped_lock lock(m_mutex);
  const auto found = std::find_if(m_waiting.begin(), m_waiting.end(),
                                  [&](const auto& waiting) { return waiting.first == ticket; });
  if (found == m_waiting.end()) return false;
  removed = std::move(found->second);
  m_waiting.erase(found);
  return true;
}

void SubmissionQueue::work() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [&] { return m_ending || !m_waiting.empty(); });
    if (m_waiting.empty()) return;
    Work next = std::move(m_waiting.front().second);
    m_waiting.pop_front();
    ++m_under_way;
    lock.unlock();
    const std::function<void()> then = next();
    lock.lock();
    --m_under_way;
    lock.unlock();
    then();
    lock.lock();
  }
}

}  // namespace robust_kbench
