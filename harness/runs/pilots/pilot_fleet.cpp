#include "runs/pilots/pilot_fleet.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "evolve/evolution_plan.hpp"
#include "runs/pilots/slurm.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Between two looks at the folder. An answer waits for so long at most.
constexpr std::chrono::milliseconds look_every{50};

void wait_for(double seconds, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  ended.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
  if (stop.stop_requested()) throw Cancelled();
}

}  // namespace

PilotFleet::PilotFleet(const FleetRequest& request, const std::string& sources,
                       const std::stop_token& stop)
    : m_request(request), m_folder(request.options.run_directory) {
  try {
    m_coordinator = std::make_unique<Coordinator>(
        m_folder,
        CoordinatorOptions{.lease_seconds = request.options.lease_seconds, .sources = sources},
        [this](const nlohmann::json& event) { hear(event); },
        [&stop](double seconds) { wait_for(seconds, stop); });
  } catch (const FolderTrouble& trouble) {
    throw UserError(std::string(trouble.what()) + "; name a folder that all machines can write");
  }
  m_stepping = std::jthread([this](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      m_coordinator->step(steady_seconds());
      m_coordinator->await_post(look_every);
    }
  });
}

PilotFleet::~PilotFleet() {
  m_stepping.request_stop();
  m_stepping.join();
  m_coordinator->end();
  if (!m_slurm_job) return;
  const std::string failure = cancel_slurm_job(m_folder.path(), *m_slurm_job);
  if (failure.empty()) return;
  std::fprintf(stderr, "Slurm's job %s could not be cancelled: %s\nIts pilots end by themselves.\n",
               m_slurm_job->c_str(), failure.c_str());
}

std::string PilotFleet::start_pilots(Device device) {
  if (std::exchange(m_started, true)) return "";
  const std::string directory = m_folder.path().string();
  if (!m_request.options.is_slurm()) {
    return fmt::format("waits for pilots; start one on each machine by: {} pilot --device {} {}",
                       own_command(), to_string(device), path_word(directory));
  }
  m_slurm_job = known_slurm_job(directory);
  if (m_slurm_job) return fmt::format("goes on with the pilots of Slurm's job {}", *m_slurm_job);
  SlurmPilots pilots{.run_directory = directory,
                     .pilots = m_request.options.pilots,
                     .options = m_request.options.sbatch,
                     .pilot_options = {"--device", std::string(to_string(device))}};
  pilots.pilot_options.insert(pilots.pilot_options.end(), m_request.options.pilot_options.begin(),
                              m_request.options.pilot_options.end());
  m_slurm_job = submit_to_slurm(pilots);
  return fmt::format("Slurm's job {} starts {} pilots; they log in {}/logs", *m_slurm_job,
                     m_request.options.pilots, directory);
}

void PilotFleet::hear(const nlohmann::json& event) {
  const std::lock_guard lock(m_mutex);
  if (m_hear) {
    m_hear(event);
  } else {
    m_kept.push_back(event);
  }
}

void PilotFleet::tell_presence() {
  const double now = steady_seconds();
  m_coordinator->tell_presence(now);
  m_coordinator->step(now);
}

void PilotFleet::listen(Hear hear) {
  {
    const std::lock_guard lock(m_mutex);
    m_hear = std::move(hear);
    for (const nlohmann::json& event : std::exchange(m_kept, {})) m_hear(event);
  }
  tell_presence();
}

void PilotFleet::end_listening() {
  tell_presence();
  const std::lock_guard lock(m_mutex);
  m_hear = nullptr;
}

std::string plan_of_pilots(const FleetOptions& options) {
  if (!options.is_slurm()) return "";
  return slurm_script({.run_directory = std::filesystem::absolute(options.run_directory),
                       .pilots = options.pilots,
                       .options = options.sbatch,
                       .pilot_options = options.pilot_options});
}

}  // namespace robust_kbench
