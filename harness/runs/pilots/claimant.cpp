#include "runs/pilots/claimant.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parse_json.hpp"
#include "core/seed.hpp"
#include "runs/pilots/lease.hpp"
#include "runs/pilots/run_directory.hpp"

namespace robust_kbench {
namespace {

std::string lease_of_pilot(const LeaseName& name) {
  return run_directory::in(run_directory::leases, to_string(name));
}

std::string claimed_file(const Claim& claim) {
  return run_directory::in(run_directory::claimed, to_string(claim.name));
}

}  // namespace

Claimant::Claimant(const SharedFolder& folder, PilotFacts facts)
    : m_folder(folder),
      m_facts(std::move(facts)),
      m_for_model(job_for_model(m_facts.model)),
      m_lease{.holder = m_facts.name} {}

void Claimant::join() {
  m_folder.write(
      run_directory::in(run_directory::pilots, m_facts.name + run_directory::words_of_pilot),
      nlohmann::json(m_facts).dump());
  if (m_facts.refused.empty()) {
    m_folder.write(lease_of_pilot(m_lease), "");
  } else {
    leave(m_facts.refused);
  }
}

bool Claimant::renew() {
  return renew_lease(m_folder, run_directory::leases, m_lease);
}

bool Claimant::is_for_me(const JobName& job) const {
  return job.whose == job_for_any || job.whose == m_for_model;
}

// Pilots begin at places of their own in the list, so that not all try for the same job.
std::optional<Claim> Claimant::claim(bool only_own) {
  std::vector<JobName> own;
  std::vector<JobName> others;
  for (const std::string& file : m_folder.list(run_directory::open)) {
    std::optional<JobName> job = parse_job_name(file);
    if (!job) continue;
    if (job->whose == m_facts.name) {
      own.push_back(*std::move(job));
    } else if (!only_own && is_for_me(*job)) {
      others.push_back(*std::move(job));
    }
  }
  if (!others.empty()) {
    const std::size_t begin = hash(m_facts.name) % others.size();
    std::ranges::rotate(others, others.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  own.insert(own.end(), others.begin(), others.end());
  for (const JobName& job : own) {
    Claim claim{.name = job};
    claim.name.whose = m_facts.name;
    if (!m_folder.move(run_directory::in(run_directory::open, to_string(job)),
                       claimed_file(claim))) {
      continue;
    }
    const std::optional<std::string> text = m_folder.read(claimed_file(claim));
    if (!text) continue;  // the coordinator has withdrawn it
    claim.job = parse_json_if_any(*text);
    return claim;
  }
  return std::nullopt;
}

// The answer is there before the claim goes, so the coordinator never sees neither of them.
void Claimant::answer(const Claim& claim, const nlohmann::json& answer) {
  m_folder.write(run_directory::in(run_directory::done, to_string(claim.name)),
                 answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  m_folder.remove(claimed_file(claim));
}

void Claimant::give_back(const Claim& claim) {
  JobName free = claim.name;
  ++free.attempt;
  free.whose = claim.job.value("whose", std::string(job_for_any));
  (void)m_folder.move(claimed_file(claim), run_directory::in(run_directory::open, to_string(free)));
}

void Claimant::leave(const std::string& reason) {
  m_folder.write(
      run_directory::in(run_directory::pilots, m_facts.name + run_directory::end_of_pilot), reason);
  m_folder.remove(lease_of_pilot(m_lease));
}

}  // namespace robust_kbench
