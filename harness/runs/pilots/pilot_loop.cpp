#include "runs/pilots/pilot_loop.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/cancelled.hpp"
#include "evolve/evolution_plan.hpp"
#include "runs/pilots/claimant.hpp"
#include "runs/pilots/run_directory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// A candidate's next job follows its last one soon. Until then nothing else takes its place here.
constexpr double keep_place_seconds = 0.2;
// Pauses between looks for a job: the first after a job, and the longest of an idle pilot. At 1,000
// pilots that are idle the folder's server sees 1,000 listings a second.
constexpr double shortest_pause_s = 0.02;
constexpr double longest_pause_s = 1;
constexpr double growth_of_pause = 1.3;
// Renewals in the time of a lease. Some may come late, where a server is slow.
constexpr double renewals_in_a_lease = 6;
constexpr double longest_renewal_s = 5;
constexpr double look_every_s = 1;
constexpr double try_again_s = 1;
// Jobs that fail in a row on a machine that can evaluate nothing. It would take all jobs otherwise.
constexpr int most_failures_in_a_row = 3;

// A pilot of which several threads do jobs, and one renews the lease.
class PilotThreads {
 public:
  PilotThreads(const SharedFolder& folder, const PilotFacts& facts, PilotWork& work,
               const PilotLoopOptions& options, std::stop_token stop)
      : m_folder(folder),
        m_work(work),
        m_options(options),
        m_stop(std::move(stop)),
        m_claimant(folder, facts) {}

  PilotEnd run();

 private:
  void do_jobs();
  std::optional<Claim> next_claim(bool only_own);
  void do_job(const Claim& claim);
  void hand_in(const Claim& claim, const nlohmann::json& answer);
  void count(bool failed, const std::string& reason);
  void watch();
  void look(double now);
  void end(PilotEnd::Why why, const std::string& reason);
  void pause(double seconds);
  void leave();
  void note(const std::string& text) const {
    if (m_options.on_note) m_options.on_note(text);
  }

  const SharedFolder& m_folder;
  PilotWork& m_work;
  const PilotLoopOptions& m_options;
  const std::stop_token m_stop;
  std::mutex m_folder_mutex;  // of the claimant
  Claimant m_claimant;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::atomic<bool> m_over = false;
  PilotEnd m_end;
  int m_failures_in_a_row = 0;
  std::optional<double> m_trouble_since;
  std::vector<std::string> m_coordinators;  // leases, as they were last seen
  double m_heard_at = steady_seconds();     // of a coordinator
};

void PilotThreads::pause(double seconds) {
  std::unique_lock lock(m_mutex);
  m_changed.wait_for(lock, m_stop, std::chrono::duration<double>(seconds),
                     [this] { return m_over.load(); });
}

void PilotThreads::end(PilotEnd::Why why, const std::string& reason) {
  {
    const std::lock_guard lock(m_mutex);
    if (m_over) return;
    m_end = {.why = why, .reason = reason};
    m_over = true;
  }
  m_changed.notify_all();
}

std::optional<Claim> PilotThreads::next_claim(bool only_own) {
  try {
    const std::lock_guard lock(m_folder_mutex);
    return m_claimant.claim(only_own);
  } catch (const FolderTrouble&) {
    return std::nullopt;  // watch() meets the same
  }
}

void PilotThreads::do_jobs() {
  double pause_s = shortest_pause_s;
  double keep_until = 0;
  while (!m_over && !m_stop.stop_requested()) {
    const std::optional<Claim> claim = next_claim(steady_seconds() < keep_until);
    if (!claim) {
      pause(pause_s);
      pause_s = std::min(longest_pause_s, growth_of_pause * pause_s);
      continue;
    }
    do_job(*claim);
    pause_s = shortest_pause_s;
    keep_until = steady_seconds() + keep_place_seconds;
  }
}

void PilotThreads::do_job(const Claim& claim) {
  const double begin = steady_seconds();
  nlohmann::json answer;
  try {
    answer["answer"] = m_work.work(claim.job);
  } catch (const Cancelled&) {
    answer["cancelled"] = true;
  } catch (const std::exception& error) {
    answer["failed"] = error.what();
  }
  answer["worked_s"] = steady_seconds() - begin;
  if (answer.contains("cancelled") && (m_over || m_stop.stop_requested())) {
    try {
      const std::lock_guard lock(m_folder_mutex);
      m_claimant.give_back(claim);
    } catch (const FolderTrouble& trouble) {
      note(trouble.what());  // its lease ends, and gives it back
    }
    return;
  }
  hand_in(claim, answer);
  count(answer.contains("failed"), answer.value("failed", ""));
}

// Tries until the disk has room and the folder is there again, or the pilot's patience ends.
void PilotThreads::hand_in(const Claim& claim, const nlohmann::json& answer) {
  while (true) {
    try {
      const std::lock_guard lock(m_folder_mutex);
      m_claimant.answer(claim, answer);
      return;
    } catch (const FolderTrouble& trouble) {
      note(trouble.what());
    }
    if (m_over || m_stop.stop_requested()) return;
    pause(try_again_s);
  }
}

void PilotThreads::count(bool failed, const std::string& reason) {
  {
    const std::lock_guard lock(m_mutex);
    m_failures_in_a_row = failed ? m_failures_in_a_row + 1 : 0;
    if (m_failures_in_a_row < most_failures_in_a_row) return;
  }
  end(PilotEnd::Why::failed,
      fmt::format("{} evaluations in a row have failed here, the last one so: {}",
                  most_failures_in_a_row, reason));
}

// Once the lease is lost, what is claimed is others'. What is under way may still be answered
// first.
void PilotThreads::look(double now) {
  {
    const std::lock_guard lock(m_folder_mutex);
    if (!m_claimant.renew()) {
      end(PilotEnd::Why::lost, "the coordinator has given it up, as it was not heard of");
      return;
    }
  }
  std::vector<std::string> coordinators = m_folder.list(run_directory::coordinator);
  if (coordinators != m_coordinators) m_heard_at = now;
  m_coordinators = std::move(coordinators);
  if (now - m_heard_at > m_options.patience_seconds) {
    end(PilotEnd::Why::failed,
        fmt::format("no coordinator was heard of for {:g} s", m_options.patience_seconds));
  }
}

void PilotThreads::watch() {
  const double renewal_s =
      std::min(longest_renewal_s, m_options.lease_seconds / renewals_in_a_lease);
  double renewed_at = steady_seconds() - renewal_s;
  while (!m_over && !m_stop.stop_requested()) {
    const double now = steady_seconds();
    try {
      if (m_folder.read(run_directory::ended_file)) {
        end(PilotEnd::Why::ended, "the run has ended");
        break;
      }
      if (now - renewed_at >= renewal_s) {
        renewed_at = now;
        look(now);
      }
      m_work.look();
      if (m_trouble_since) note("the folder is back");
      m_trouble_since.reset();
    } catch (const FolderTrouble& trouble) {
      if (!m_trouble_since) note(trouble.what());
      m_trouble_since = m_trouble_since.value_or(now);
      m_heard_at = now;
      if (now - *m_trouble_since > m_options.patience_seconds) {
        end(PilotEnd::Why::failed, trouble.what());
      }
    }
    pause(std::min(renewal_s, look_every_s));
  }
}

void PilotThreads::leave() {
  if (m_end.why == PilotEnd::Why::lost) return;
  try {
    const std::lock_guard lock(m_folder_mutex);
    m_claimant.leave(m_end.reason);
  } catch (const FolderTrouble& trouble) {
    note(trouble.what());
  }
}

PilotEnd PilotThreads::run() {
  m_end.reason = "it was ended from outside";
  m_claimant.join();
  std::vector<std::jthread> threads;
  for (int i = 0; i < m_claimant.facts().slots; ++i) threads.emplace_back([this] { do_jobs(); });
  watch();
  if (m_end.why != PilotEnd::Why::lost) m_work.end();
  threads.clear();
  leave();
  return m_end;
}

}  // namespace

PilotEnd run_pilot(const SharedFolder& folder, const PilotFacts& facts, PilotWork& work,
                   const PilotLoopOptions& options, const std::stop_token& stop) {
  return PilotThreads(folder, facts, work, options, stop).run();
}

}  // namespace robust_kbench
