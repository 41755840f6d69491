#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runs/pilots/coordinator_lease.hpp"
#include "runs/pilots/job_name.hpp"
#include "runs/pilots/pilot_watch.hpp"
#include "runs/pilots/shared_folder.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

struct CoordinatorOptions {
  double lease_seconds = 60;      // after which a pilot that renews nothing is given up
  double patience_seconds = 600;  // with a folder that cannot be used
  std::string sources;            // source_tree_digest() of this build, which pilots must have
};

// Work for one pilot.
struct PostedJob {
  nlohmann::json job;    // for the pilot
  nlohmann::json label;  // for events: which candidate, and what is asked of it
  std::string model;     // of the device that may do it; empty: any
  std::string pilot;     // that may claim it first, as it knows the candidate; empty: none
};

struct JobAnswer {
  nlohmann::json answer;
  PilotFacts pilot;
};

// The coordinator's half of a run directory: it posts jobs, and gives each of them to another pilot
// where the first one dies. One answer counts for each job, however many come. What happens is told
// as events (docs/archive.md). Threads may share it.
class Coordinator {
 public:
  using OnEvent = std::function<void(const nlohmann::json& event)>;

  // Takes the run directory, which is made where it is missing. What an earlier coordinator left
  // unfinished there is removed. `wait` is that of CoordinatorLease. Throws UserError where another
  // one is at work there.
  Coordinator(const SharedFolder& folder, const CoordinatorOptions& options, OnEvent on_event,
              const CoordinatorLease::Wait& wait);
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // Writes a file that several jobs refer to, now and whenever it changes.
  void describe_session(const std::string& session, const nlohmann::json& description);
  [[nodiscard]] const std::string& id() const { return m_lease.id(); }

  std::int64_t post(PostedJob job);
  // Waits for the job's answer. Throws Cancelled once `stop` is requested, which withdraws the job,
  // and HarnessError where nobody can give an answer.
  JobAnswer await(std::int64_t job, const std::stop_token& stop);
  // Waits for a pilot that lives. Throws Cancelled, and HarnessError as await() does.
  void await_pilot(const std::stop_token& stop);
  [[nodiscard]] std::vector<WatchedPilot> pilots() const;  // that live
  [[nodiscard]] int open_jobs() const;                     // that no pilot has claimed

  // Waits until a job is posted, for so long at most.
  void await_post(std::chrono::milliseconds longest);
  // Looks at the folder once, and does what is due. `now` is in seconds by a clock that is never
  // set back.
  void step(double now);
  // Tells an event `pilot_present` for each pilot that lives, with the next step. It says what the
  // pilot is, and how long it has been there.
  void tell_presence(double now);
  // Tells pilots that they may end, and gives the folder back. A folder that cannot be used is left
  // as it is.
  void end();

 private:
  struct Job {
    PostedJob posted;
    JobName name = {};
    enum class State { unwritten, open, claimed, answered } state = State::unwritten;
    double seen_at = 0;  // when its file was last seen
    double opened_at = 0;
    double claimed_at = 0;
    int losses = 0;
    std::vector<std::string> failures;
    JobAnswer answer = {};
    std::string failure = {};
  };

  void clear_folder();
  bool renew(double now);
  void look(double now);
  void write_what_waits(double now);
  void take_answer(const std::string& file, double now);
  void weigh_answer(Job& job, const JobName& name, nlohmann::json answer, double now);
  void see_claim(const std::string& file, double now);
  void see_open(const std::string& file, double now);
  void find_missing(double now);
  void reopen(Job& job, double now);
  void write_again(Job& job);
  [[nodiscard]] std::string whose(const Job& job) const;
  // The job of a file, or null where nobody waits for it any more.
  [[nodiscard]] Job* pending(const std::optional<JobName>& name);
  void bear(const FolderTrouble& trouble, double now);
  void tell(nlohmann::json event);

  const SharedFolder& m_folder;
  const CoordinatorOptions m_options;
  const OnEvent m_on_event;
  CoordinatorLease m_lease;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_changed;  // what a step has found
  std::condition_variable m_posting;
  bool m_is_posted = false;  // since the last step
  PilotWatch m_pilots;
  std::map<std::string, PilotFacts> m_known;  // every pilot that ever joined
  std::map<std::string, nlohmann::json> m_unwritten_sessions;
  std::map<std::int64_t, Job> m_jobs;         // that somebody waits for
  std::map<std::int64_t, JobName> m_counted;  // the names of the answers that count
  std::int64_t m_posted = 0;
  std::optional<double> m_stepped_at;
  std::vector<nlohmann::json> m_events;  // that are not told yet
  std::optional<double> m_renewed_at;
  std::optional<double> m_listed_refusals_at;
  std::optional<double> m_trouble_since;
  std::string m_failure;  // why nothing is answered any more; empty: it may be
};

}  // namespace robust_kbench
