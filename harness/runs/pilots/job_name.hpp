#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace robust_kbench {

// The name of a job's file: "9c31f0aa-17.2.node3-4242-51b7", or ".any" at its end. It holds all
// that changes while a job is claimed, so a claim is one rename.
struct JobName {
  std::string coordinator;  // that posted it
  std::int64_t number = 0;  // of that coordinator's job
  int attempt = 1;
  std::string whose;  // who may claim it (job_for_any, a pilot, a model's), or who has claimed it

  friend bool operator==(const JobName&, const JobName&) = default;
};

inline constexpr const char* job_for_any = "any";
// Stands for all pilots on devices of one model in JobName::whose.
std::string job_for_model(const std::string& model);

std::string to_string(const JobName& name);
// None: the file is no job, such as one that somebody put there by hand.
std::optional<JobName> parse_job_name(std::string_view text);

// A renewal of a lease, "node3-4242-51b7.17". Who renews renames it to the next number, which needs
// no space on a disk.
struct LeaseName {
  std::string holder;
  std::int64_t renewals = 0;

  friend bool operator==(const LeaseName&, const LeaseName&) = default;
};

std::string to_string(const LeaseName& name);
std::optional<LeaseName> parse_lease_name(std::string_view text);

}  // namespace robust_kbench
