#include "report/progress_pulse.hpp"

#include <condition_variable>
#include <cstdio>
#include <stop_token>
#include <unistd.h>
#include <utility>

#include "core/terminal.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds pulse{10};
constexpr std::chrono::milliseconds look_every{500};

}  // namespace

// A terminal has a line that is rewritten.
ProgressPulse::ProgressPulse() : ProgressPulse(&Clock::now) {
  m_looks_itself = !can_rewrite(STDERR_FILENO) && !is_quiet();
}

ProgressPulse::ProgressPulse(Now now) : m_now(std::move(now)), m_said(m_now()) {}

void ProgressPulse::start_looking() {
  m_looking = std::jthread([this](const std::stop_token& ended) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, ended, look_every, [&] { return ended.stop_requested(); })) look();
  });
}

void ProgressPulse::update(const std::string& item, const std::string& stage) {
  const std::scoped_lock lock(m_mutex);
  if (m_looks_itself && !m_looking.joinable()) start_looking();
  m_begun.try_emplace(item, m_now());
  m_item = item;
  m_stage = stage;
  if (std::exchange(m_is_first, false) && m_looks_itself) {
    std::fprintf(stderr, "%s\n", escaped_line(item + ": " + stage).c_str());
    m_said = m_now();
  }
}

void ProgressPulse::finish(const std::string& item) {
  const std::scoped_lock lock(m_mutex);
  m_begun.erase(item);
  if (m_item == item) m_item.clear();
  m_said = m_now();
}

void ProgressPulse::look() {
  const std::scoped_lock lock(m_mutex);
  const Clock::time_point now = m_now();
  if (m_item.empty() || now - m_said < pulse) return;
  m_said = now;
  const auto taken = std::chrono::duration_cast<std::chrono::seconds>(now - m_begun.at(m_item));
  const std::string text = m_item + ": " + m_stage;
  std::fprintf(stderr, "%s, %lld s\n", escaped_line(text).c_str(),
               static_cast<long long>(taken.count()));
}

}  // namespace robust_kbench
