#include "runs/pilots/coordinator.hpp"

#include <algorithm>
#include <utility>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "runs/pilots/run_directory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// Time in which only the pilot that knows a candidate may claim its next job. It looks for that far
// more often.
constexpr double preference_seconds = 2;

// A job that so many pilots did not survive is likely to be the reason.
constexpr int most_losses = 5;
// Pilots that fail at the same job before the job is taken to be the reason.
constexpr std::size_t most_failures = 3;

// Others learn of a coordinator's end, and of a second one, within a few of these.
constexpr double renewal_of_coordinator_s = 0.5;
constexpr double look_for_refusals_s = 2;

// A coordinator that did not look for this share of a lease cannot tell who was silent meanwhile.
constexpr double longest_gap_in_leases = 0.25;

}  // namespace

Coordinator::Coordinator(const SharedFolder& folder, const CoordinatorOptions& options,
                         OnEvent on_event, const CoordinatorLease::Wait& wait)
    : m_folder((folder.make(run_directory::all(), run_directory::coordinator,
                            to_string(LeaseName{.holder = run_directory::nobody})),
                folder)),
      m_options(options),
      m_on_event(std::move(on_event)),
      m_lease(m_folder, options.lease_seconds, wait),
      m_pilots(m_folder, options.lease_seconds) {
  clear_folder();
}

// Pilots that still run keep their leases, and what they say of themselves.
void Coordinator::clear_folder() {
  for (const char* place : {run_directory::open, run_directory::claimed, run_directory::done,
                            run_directory::sessions}) {
    for (const std::string& file : m_folder.list(place)) {
      m_folder.remove(run_directory::in(place, file));
    }
  }
  for (const std::string& file : m_folder.list(run_directory::coordinators)) {
    if (file == id() + ".json") continue;
    m_folder.remove(run_directory::in(run_directory::coordinators, file));
  }
  m_pilots.forget_ended();
  m_folder.write(
      run_directory::terms_file,
      nlohmann::json{{"sources", m_options.sources}, {"lease_seconds", m_options.lease_seconds}}
          .dump());
  m_folder.remove(run_directory::ended_file);
}

void Coordinator::describe_session(const std::string& session, const nlohmann::json& description) {
  const std::lock_guard lock(m_mutex);
  m_unwritten_sessions[session] = description;
}

std::int64_t Coordinator::post(PostedJob posted) {
  const std::lock_guard lock(m_mutex);
  const std::int64_t number = ++m_posted;
  posted.job["whose"] = posted.model.empty() ? job_for_any : job_for_model(posted.model);
  Job& job = m_jobs[number];
  job.posted = std::move(posted);
  job.name = {.coordinator = id(), .number = number, .whose = ""};
  m_is_posted = true;
  m_posting.notify_all();
  return number;
}

void Coordinator::await_post(std::chrono::milliseconds longest) {
  std::unique_lock lock(m_mutex);
  m_posting.wait_for(lock, longest, [this] { return m_is_posted; });
}

JobAnswer Coordinator::await(std::int64_t number, const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  Job& job = m_jobs.at(number);
  m_changed.wait(lock, stop,
                 [&] { return job.state == Job::State::answered || !m_failure.empty(); });
  const Job ended = std::move(job);
  m_jobs.erase(number);
  if (ended.state != Job::State::answered && !m_failure.empty()) throw HarnessError(m_failure);
  if (ended.state != Job::State::answered) throw Cancelled();
  if (!ended.failure.empty()) throw HarnessError(ended.failure);
  return ended.answer;
}

void Coordinator::await_pilot(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, stop, [&] { return !m_pilots.living().empty() || !m_failure.empty(); });
  if (stop.stop_requested()) throw Cancelled();
  if (!m_failure.empty()) throw HarnessError(m_failure);
}

std::vector<WatchedPilot> Coordinator::pilots() const {
  const std::lock_guard lock(m_mutex);
  std::vector<WatchedPilot> all;
  for (const auto& [name, pilot] : m_pilots.living()) all.push_back(pilot);
  return all;
}

int Coordinator::open_jobs() const {
  const std::lock_guard lock(m_mutex);
  return static_cast<int>(std::ranges::count_if(m_jobs, [](const auto& each) {
    return each.second.state == Job::State::unwritten || each.second.state == Job::State::open;
  }));
}

void Coordinator::step(double now) {
  std::vector<nlohmann::json> events;
  {
    const std::lock_guard lock(m_mutex);
    m_is_posted = false;
    if (m_failure.empty()) {
      try {
        if (renew(now)) look(now);
      } catch (const FolderTrouble& trouble) {
        bear(trouble, now);
      }
    }
    m_stepped_at = now;
    events.swap(m_events);
  }
  m_changed.notify_all();
  for (const nlohmann::json& event : events) m_on_event(event);
}

bool Coordinator::renew(double now) {
  if (m_renewed_at && now - *m_renewed_at < renewal_of_coordinator_s) return true;
  m_renewed_at = now;
  if (m_lease.renew()) return true;
  m_failure = fmt::format(
      "another coordinator has taken {}, since this one was not heard of for {:g} s; this run goes "
      "on by --resume once that one has ended",
      m_folder.path().string(), m_options.lease_seconds);
  return false;
}

// A job moves from open to claimed to done, and a pilot has its lease before it claims. So claims
// are listed before leases, and answers last. Then no claim is taken for a dead pilot's whose
// answer is there.
void Coordinator::look(double now) {
  const bool was_away =
      m_stepped_at && now - *m_stepped_at > longest_gap_in_leases * m_options.lease_seconds;
  if (m_trouble_since || was_away) m_pilots.excuse(now);
  write_what_waits(now);
  const std::vector<std::string> claims = m_folder.list(run_directory::claimed);
  const std::vector<std::string> open = m_folder.list(run_directory::open);
  for (nlohmann::json& event : m_pilots.look(now)) tell(std::move(event));
  for (const auto& [name, pilot] : m_pilots.living()) m_known[name] = pilot.facts;
  for (const std::string& file : m_folder.list(run_directory::done)) take_answer(file, now);
  for (const std::string& file : claims) see_claim(file, now);
  for (const std::string& file : open) see_open(file, now);
  find_missing(now);
  if (!m_listed_refusals_at || now - *m_listed_refusals_at >= look_for_refusals_s) {
    m_listed_refusals_at = now;
    for (nlohmann::json& event : m_pilots.refused()) tell(std::move(event));
  }
  if (m_trouble_since) {
    tell({{"event", "folder_back"}, {"seconds", now - *m_trouble_since}});
    m_trouble_since.reset();
  }
}

void Coordinator::bear(const FolderTrouble& trouble, double now) {
  if (!m_trouble_since) {
    m_trouble_since = now;
    tell({{"event", "folder_trouble"}, {"reason", trouble.what()}});
  }
  if (now - *m_trouble_since <= m_options.patience_seconds) return;
  m_failure = fmt::format("{}; this was so for {:g} s; mend it, and go on by --resume",
                          trouble.what(), m_options.patience_seconds);
}

std::string Coordinator::whose(const Job& job) const {
  const bool is_preferred = !job.posted.pilot.empty() && m_pilots.lives(job.posted.pilot);
  return is_preferred ? job.posted.pilot : job.posted.job.at("whose").get<std::string>();
}

void Coordinator::write_what_waits(double now) {
  for (auto each = m_unwritten_sessions.begin(); each != m_unwritten_sessions.end();) {
    m_folder.write(run_directory::in(run_directory::sessions, each->first), each->second.dump());
    each = m_unwritten_sessions.erase(each);
  }
  for (auto& [number, job] : m_jobs) {
    if (job.state != Job::State::unwritten) continue;
    job.name.whose = whose(job);
    m_folder.write(run_directory::in(run_directory::open, to_string(job.name)),
                   job.posted.job.dump());
    job.state = Job::State::open;
    job.opened_at = job.seen_at = now;
  }
}

Coordinator::Job* Coordinator::pending(const std::optional<JobName>& name) {
  if (!name || name->coordinator != id()) return nullptr;
  const auto found = m_jobs.find(name->number);
  const bool waits = found != m_jobs.end() && found->second.state != Job::State::answered;
  return waits ? &found->second : nullptr;
}

void Coordinator::take_answer(const std::string& file, double now) {
  const std::string path = run_directory::in(run_directory::done, file);
  const std::optional<JobName> name = parse_job_name(file);
  Job* const job = pending(name);
  if (job != nullptr) {
    const std::optional<std::string> text = m_folder.read(path);
    if (text) weigh_answer(*job, *name, parse_json_if_any(*text), now);
  } else if (name && name->coordinator == id() && name->number <= m_posted) {
    // An answer that counts may be seen again where removing it failed.
    const auto counted = m_counted.find(name->number);
    if (counted == m_counted.end() || counted->second != *name) {
      tell({{"event", "late_answer"}, {"pilot", name->whose}, {"job", name->number}});
    }
  }
  m_folder.remove(path);
}

void Coordinator::weigh_answer(Job& job, const JobName& name, nlohmann::json answer, double now) {
  const bool was_seen = job.state == Job::State::claimed && job.name == name;
  const double claimed_at = was_seen ? job.claimed_at : now;
  const auto pilot = m_pilots.living().find(name.whose);
  const double joined_at = pilot == m_pilots.living().end() ? now : pilot->second.joined_at;
  nlohmann::json event = job.posted.label;
  event.update({{"pilot", name.whose},
                {"waited_s", claimed_at - job.opened_at},
                {"worked_s", answer.is_object() ? answer.value("worked_s", 0.0) : 0.0},
                {"present_s", now - joined_at},
                {"attempt", name.attempt}});
  if (answer.is_object() && answer.contains("answer")) {
    event["event"] = "answered";
    job.state = Job::State::answered;
    job.answer = {.answer = std::move(answer["answer"]), .pilot = m_known[name.whose]};
    m_counted[name.number] = name;
  } else {
    const bool is_failure = !answer.is_object() || answer.contains("failed");
    const std::string reason =
        answer.is_object() ? answer.value("failed", "it was cancelled there") : "no JSON object";
    event["event"] = "not_answered";
    event["reason"] = reason;
    if (is_failure) job.failures.push_back(name.whose + ": " + reason);
    job.name = name;
    write_again(job);
  }
  tell(std::move(event));
}

// The next attempt goes to whoever comes first.
void Coordinator::write_again(Job& job) {
  job.posted.pilot.clear();
  ++job.name.attempt;
  job.state = Job::State::unwritten;
  if (job.failures.size() >= most_failures) {
    job.state = Job::State::answered;
    job.failure = fmt::format("{} pilots have failed at one candidate: {}", job.failures.size(),
                              fmt::join(job.failures, "; "));
  }
}

void Coordinator::see_claim(const std::string& file, double now) {
  const std::optional<JobName> name = parse_job_name(file);
  Job* const job = pending(name);
  if (job == nullptr || job->state == Job::State::unwritten || name->attempt < job->name.attempt) {
    m_folder.remove(run_directory::in(run_directory::claimed, file));
    return;
  }
  if (job->state != Job::State::claimed || job->name != *name) {
    job->state = Job::State::claimed;
    job->name = *name;
    job->claimed_at = now;
    nlohmann::json event = job->posted.label;
    event.update({{"event", "claimed"}, {"pilot", name->whose}});
    tell(std::move(event));
  }
  job->seen_at = now;
  if (!m_pilots.lives(name->whose)) reopen(*job, now);
}

// Gives the job of a dead pilot to others.
void Coordinator::reopen(Job& job, double now) {
  const std::string pilot = job.name.whose;
  nlohmann::json event = job.posted.label;
  event.update({{"event", "claim_lost"}, {"pilot", pilot}, {"held_s", now - job.claimed_at}});
  if (++job.losses >= most_losses) {
    job.state = Job::State::answered;
    job.failure = fmt::format(
        "{} pilots ended while they evaluated one candidate, the last of them {}; if they were not "
        "ended from outside, their logs tell why",
        job.losses, pilot);
    tell(std::move(event));
    return;
  }
  job.posted.pilot.clear();
  JobName free = job.name;
  ++free.attempt;
  free.whose = whose(job);
  if (!m_folder.move(run_directory::in(run_directory::claimed, to_string(job.name)),
                     run_directory::in(run_directory::open, to_string(free)))) {
    return;  // it was given back in this moment
  }
  job.state = Job::State::open;
  job.name = free;
  job.opened_at = job.seen_at = now;
  tell(std::move(event));
}

void Coordinator::see_open(const std::string& file, double now) {
  const std::string path = run_directory::in(run_directory::open, file);
  const std::optional<JobName> name = parse_job_name(file);
  Job* const job = pending(name);
  if (job == nullptr || job->state == Job::State::unwritten || name->attempt < job->name.attempt) {
    m_folder.remove(path);
    return;
  }
  if (job->state == Job::State::claimed && name->attempt == job->name.attempt) return;
  if (job->state == Job::State::claimed) job->opened_at = now;  // its pilot gave it back
  job->state = Job::State::open;
  job->name = *name;
  job->seen_at = now;
  const bool is_one_pilots = name->whose == job->posted.pilot && !name->whose.empty();
  if (!is_one_pilots) return;
  if (m_pilots.lives(name->whose) && now - job->opened_at <= preference_seconds) return;
  job->posted.pilot.clear();
  job->name.whose = whose(*job);
  // False where the pilot has claimed it in this moment.
  if (!m_folder.move(path, run_directory::in(run_directory::open, to_string(job->name)))) {
    job->name = *name;
  }
}

// A file server may lose a rename in a crash, and a person may remove a file. A listing may also be
// as old as a lease.
void Coordinator::find_missing(double now) {
  for (auto& [number, job] : m_jobs) {
    const bool has_file = job.state == Job::State::open || job.state == Job::State::claimed;
    if (has_file && now - job.seen_at > m_options.lease_seconds) write_again(job);
  }
}

void Coordinator::tell(nlohmann::json event) {
  m_events.push_back(std::move(event));
}

void Coordinator::tell_presence(double now) {
  const std::lock_guard lock(m_mutex);
  for (const auto& [name, pilot] : m_pilots.living()) {
    nlohmann::json event = pilot.facts;
    event.erase("name");
    event.update(
        {{"event", "pilot_present"}, {"pilot", name}, {"present_s", now - pilot.joined_at}});
    tell(std::move(event));
  }
}

void Coordinator::end() {
  const std::lock_guard lock(m_mutex);
  if (!m_failure.empty()) return;
  try {
    m_folder.write(run_directory::ended_file, "");
    m_lease.free();
  } catch (const FolderTrouble&) {
    // Pilots end by themselves where no coordinator is heard of.
    return;
  }
}

}  // namespace robust_kbench
