#include "runs/pilots/coordinator_lease.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <unistd.h>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/parse_json.hpp"
#include "core/seed.hpp"
#include "core/text_file.hpp"
#include "runs/pilots/lease.hpp"
#include "runs/pilots/run_directory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Renewals of a lease that are looked for while it lasts, so that a refusal comes soon.
constexpr double looks_in_a_lease = 60;

std::string lease_file(const LeaseName& name) {
  return run_directory::in(run_directory::coordinator, to_string(name));
}

std::string own_words(const std::string& holder) {
  return run_directory::in(run_directory::coordinators, holder + ".json");
}

// Tells one start of a machine from all others.
std::string boot_id() {
  return read_text("/proc/sys/kernel/random/boot_id").value_or("");
}

nlohmann::json words_of(const SharedFolder& folder, const std::string& holder) {
  nlohmann::json words = parse_json_if_any(folder.read(own_words(holder)).value_or(""));
  return words.is_object() ? words : nlohmann::json::object();
}

std::optional<LeaseName> holder_of(const SharedFolder& folder) {
  for (const std::string& file : folder.list(run_directory::coordinator)) {
    if (auto name = parse_lease_name(file)) return name;
  }
  return std::nullopt;
}

bool has_ended_here(const nlohmann::json& words) {
  const std::string boot = boot_id();
  if (boot.empty() || words.value("boot", "") != boot) return false;
  return kill(words.value("process", 0), 0) != 0 && errno == ESRCH;
}

[[noreturn]] void refuse(const SharedFolder& folder, const std::string& holder) {
  const nlohmann::json words = words_of(folder, holder);
  throw UserError(fmt::format(
      "{} has a coordinator that is at work: process {} on {}; wait for its end, or name another "
      "folder",
      folder.path().string(), words.value("process", 0),
      words.value("host", "an unknown machine")));
}

}  // namespace

CoordinatorLease::CoordinatorLease(const SharedFolder& folder, double lease_seconds,
                                   const Wait& wait)
    : m_folder(folder), m_lease{.holder = fmt::format("{:016x}", secret_key())} {
  m_folder.write(
      own_words(id()),
      nlohmann::json{{"host", host_name()}, {"boot", boot_id()}, {"process", getpid()}}.dump());
  std::optional<LeaseName> seen;
  double unchanged = 0;  // seconds
  while (true) {
    const std::optional<LeaseName> held = holder_of(m_folder);
    if (held && seen && held->holder == seen->holder && held->renewals != seen->renewals) {
      m_folder.remove(own_words(id()));
      refuse(m_folder, held->holder);
    }
    if (!held || held != seen) unchanged = 0;
    seen = held;
    if (held && (held->holder == run_directory::nobody || unchanged >= lease_seconds ||
                 has_ended_here(words_of(m_folder, held->holder)))) {
      if (take_over(*held)) return;
      continue;
    }
    wait(lease_seconds / looks_in_a_lease);
    unchanged += lease_seconds / looks_in_a_lease;
  }
}

bool CoordinatorLease::take_over(const LeaseName& from) {
  return m_folder.move(lease_file(from), lease_file(m_lease));
}

bool CoordinatorLease::renew() {
  return renew_lease(m_folder, run_directory::coordinator, m_lease);
}

void CoordinatorLease::free() {
  (void)m_folder.move(lease_file(m_lease), lease_file({.holder = run_directory::nobody}));
  m_folder.remove(own_words(id()));
}

}  // namespace robust_kbench
