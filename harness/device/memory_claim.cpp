#include "device/memory_claim.hpp"

#include <algorithm>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

// Claims last for seconds at least, so polling more often would gain little.
constexpr std::chrono::milliseconds retry_interval{10};
// No GPU has more. It limits what a faulty or hostile process has written.
constexpr std::size_t max_claim = std::size_t{1} << 50;

std::string mib(std::size_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

std::size_t bytes_of(const ClaimRecord& record) {
  return std::min<std::size_t>(record.bytes, max_claim);
}

std::size_t bytes_held(const std::vector<ClaimRecord>& claims) {
  std::size_t bytes = 0;
  for (const ClaimRecord& claim : claims) {
    if (claim.state != ClaimRecord::waiting) bytes += bytes_of(claim);
  }
  return bytes;
}

std::uint64_t next_ticket(const std::vector<ClaimRecord>& others) {
  std::uint64_t ticket = 0;
  for (const ClaimRecord& other : others) ticket = std::max(ticket, other.ticket);
  return ticket + 1;
}

// The bytes that a claim with this ticket gets now; none if it has to wait.
std::optional<std::size_t> granted(const std::vector<ClaimRecord>& others, std::uint64_t ticket,
                                   std::size_t least, std::size_t most, std::size_t budget) {
  bool alone = true;
  for (const ClaimRecord& other : others) {
    if (other.state == ClaimRecord::waiting && other.ticket < ticket) return std::nullopt;
    alone = alone && other.state != ClaimRecord::held;
  }
  const std::size_t held = bytes_held(others);
  const std::size_t free = held < budget ? budget - held : 0;
  if (least <= free) return std::min(most, free);
  if (alone) return least;
  return std::nullopt;
}

ClaimRecord record_of(std::uint64_t ticket, std::size_t bytes, ClaimRecord::State state) {
  return {.ticket = ticket, .bytes = bytes, .pid = getpid(), .state = state};
}

std::string holders(const std::vector<ClaimRecord>& claims) {
  std::string text;
  for (const ClaimRecord& claim : claims) {
    if (claim.state == ClaimRecord::waiting) continue;
    text += (text.empty() ? "" : ", ") + std::string("process ") + std::to_string(claim.pid) +
            " holds " + mib(bytes_of(claim));
  }
  return text;
}

// A claim that waits for its turn.
class Queue {
 public:
  Queue(const MemoryBudget& budget, std::size_t least, std::size_t most)
      : m_budget(budget), m_least(least), m_most(most) {
    enter();
  }

  // True once the claim is granted.
  bool poll() {
    if (!m_file->is_current()) enter();
    ClaimFile::Turn turn(*m_file);
    const std::vector<ClaimRecord> others = turn.others();
    const auto bytes = granted(others, m_record.ticket, m_least, m_most, m_budget.bytes);
    if (!bytes) {
      note(others);
      return false;
    }
    m_record = record_of(m_record.ticket, *bytes, ClaimRecord::held);
    turn.write(m_record);
    return true;
  }

  void require_progress() const {
    if (Clock::now() - m_changed < m_budget.wait_limit) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(m_budget.wait_limit);
    throw HarnessError("the GPU's memory: of " + mib(m_budget.bytes) + " " + mib(m_least) +
                       " are wanted and not free; nothing has changed for " +
                       std::to_string(seconds.count()) + " s, in which " + m_holders +
                       "; end who hangs, or start fewer at a time");
  }

  [[nodiscard]] std::string text() const {
    return "waiting for " + mib(m_least) + " of the GPU's memory, while " + m_holders;
  }

  ClaimFile& file() { return *m_file; }
  [[nodiscard]] const ClaimRecord& record() const { return m_record; }

 private:
  void enter() {
    m_file.emplace(m_budget.path);
    ClaimFile::Turn turn(*m_file);
    m_record = record_of(next_ticket(turn.others()), m_least, ClaimRecord::waiting);
    turn.write(m_record);
  }

  void note(const std::vector<ClaimRecord>& others) {
    std::string now = holders(others);
    if (now.empty()) now = "others wait";
    if (now == m_holders) return;
    m_holders = std::move(now);
    m_changed = Clock::now();
  }

  const MemoryBudget& m_budget;
  const std::size_t m_least;
  const std::size_t m_most;
  std::optional<ClaimFile> m_file;
  ClaimRecord m_record;
  std::string m_holders;
  Clock::time_point m_changed = Clock::now();
};

}  // namespace

MemoryClaim MemoryClaim::wait(const MemoryBudget& budget, std::size_t least, std::size_t most,
                              const OnWait& on_wait) {
  Queue queue(budget, least, most);
  bool told = false;
  while (!queue.poll()) {
    if (on_wait && !std::exchange(told, true)) on_wait(queue.text());
    queue.require_progress();
    std::this_thread::sleep_for(retry_interval);
  }
  return {std::move(queue.file()), queue.record()};
}

MemoryClaim::MemoryClaim(ClaimFile file, const ClaimRecord& record)
    : m_file(std::move(file)), m_record(record) {}

void MemoryClaim::shrink(std::size_t bytes) {
  ClaimFile::Turn turn(m_file);
  m_record.bytes = std::min<std::uint64_t>(m_record.bytes, bytes);
  turn.write(m_record);
}

// The new claim is written before this one shrinks, so that no other process is granted the moved
// bytes.
MemoryClaim MemoryClaim::keep(std::size_t bytes) {
  ClaimFile file(m_file.path());
  const ClaimRecord kept = record_of(m_record.ticket, bytes, ClaimRecord::kept);
  ClaimFile::Turn(file).write(kept);
  shrink(m_record.bytes - std::min<std::size_t>(bytes, m_record.bytes));
  return {std::move(file), kept};
}

std::size_t claimed_by_others(const MemoryBudget& budget, pid_t pid) {
  ClaimFile file(budget.path);
  std::vector<ClaimRecord> claims = ClaimFile::Turn(file).others();
  std::erase_if(claims, [&](const ClaimRecord& claim) { return claim.pid == pid; });
  return bytes_held(claims);
}

}  // namespace robust_kbench
