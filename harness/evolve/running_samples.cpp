#include "evolve/running_samples.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace robust_kbench {

namespace {

// The id of the work that goes on beside the samples. Their ids begin with 1.
constexpr std::int64_t beside = 0;

}  // namespace

RunningSamples::RunningSamples(Journal& journal, bool one_by_one)
    : m_journal(journal), m_one_by_one(one_by_one) {}

Sample& RunningSamples::add(std::unique_ptr<Sample> sample) {
  const std::int64_t id = sample->row.id;
  return *(m_samples[id] = std::move(sample));
}

std::future<void> RunningSamples::begin(std::int64_t id, std::function<void()> work) {
  const auto policy = m_one_by_one ? std::launch::deferred : std::launch::async;
  return std::async(policy, [this, work = std::move(work), id] {
    const std::shared_ptr<void> finished(nullptr, [this, id](void*) {
      const std::lock_guard lock(m_mutex);
      m_finished.push_back(id);
      m_one_finished.notify_one();
    });
    work();
  });
}

void RunningSamples::start(Sample& sample, std::function<void()> phase) {
  sample.done = begin(sample.row.id, std::move(phase));
}

void RunningSamples::start_beside(std::function<void()> work) {
  m_beside = begin(beside, std::move(work));
}

// The machine decides which one comes first, so the journal keeps it.
Sample* RunningSamples::wait_for_one(int step) {
  const std::vector<std::int64_t> ids = busy();
  std::int64_t id = ids.front();
  if (ids.size() > 1 && !m_one_by_one) {
    id = m_journal.once(fmt::format("settled/{}", step), [this] {
      std::unique_lock lock(m_mutex);
      m_one_finished.wait(lock, [this] { return !m_finished.empty(); });
      return nlohmann::json(m_finished.front());
    });
  }
  Sample* const sample = id == beside ? nullptr : m_samples.at(id).get();
  (sample == nullptr ? m_beside : sample->done).get();
  const std::lock_guard lock(m_mutex);
  std::erase(m_finished, id);
  return sample;
}

void RunningSamples::remove(const Sample& sample) {
  m_samples.erase(sample.row.id);
}

int RunningSamples::count(Sample::Phase phase) const {
  return static_cast<int>(std::ranges::count_if(
      m_samples, [phase](const auto& each) { return each.second->phase == phase; }));
}

std::vector<Sample*> RunningSamples::all() const {
  std::vector<Sample*> samples;
  for (const auto& [id, sample] : m_samples) samples.push_back(sample.get());
  return samples;
}

std::vector<std::int64_t> RunningSamples::busy() const {
  std::vector<std::int64_t> ids;
  for (const auto& [id, sample] : m_samples) {
    if (sample->phase != Sample::Phase::ranked) ids.push_back(id);
  }
  if (m_beside.valid()) ids.push_back(beside);
  return ids;
}

}  // namespace robust_kbench
