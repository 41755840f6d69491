// The cost of a run directory at many pilots: the file operations of a coordinator and of all
// pilots, without any evaluation. Their times are of a simulated clock, so one process does what
// all machines would do in that time.
//
//   rkb_pilot_folder DIRECTORY PILOTS SECONDS JOB_SECONDS
//
// Prints a JSON object: how often each operation was done in a simulated second, and its median
// and mean time in microseconds. DIRECTORY is made, and removed afterwards.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "runs/pilots/claimant.hpp"
#include "runs/pilots/coordinator.hpp"
#include "runs/pilots/shared_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

// Pilots and coordinators wait so long (pilot_loop.cpp, pilot_fleet.cpp).
constexpr double step_every_s = 0.05;
constexpr double renew_every_s = 5;
constexpr double look_every_s = 1;
constexpr int job_bytes = 20'000;

// Counts and times what is done to the folder.
class Counted {
 public:
  void add(const char* name, Clock::time_point begin) {
    m_us[name].push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }

  nlohmann::json json(double seconds) {
    nlohmann::json json = nlohmann::json::object();
    for (auto& [name, us] : m_us) {
      std::ranges::sort(us);
      json[name] = {
          {"per_second", static_cast<double>(us.size()) / seconds},
          {"median_us", us[us.size() / 2]},
          {"mean_us", std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size())}};
    }
    return json;
  }

 private:
  std::map<std::string, std::vector<double>> m_us;
};

struct SimulatedPilot {
  Claimant claimant;
  double renew_at;
  double look_at;
  std::optional<Claim> claim = {};
  double done_at = 0;
};

class Simulation {
 public:
  Simulation(const SharedFolder& folder, int pilots, double job_seconds)
      : m_coordinator(
            folder, {}, [](const nlohmann::json&) {}, [](double) { std::abort(); }),
        m_job_seconds(job_seconds) {
    for (int i = 0; i < pilots; ++i) {
      const double phase = static_cast<double>(i) / pilots;
      m_pilots.push_back({.claimant = Claimant(folder, {.name = fmt::format("pilot-{:04}", i)}),
                          .renew_at = phase * renew_every_s,
                          .look_at = phase * look_every_s});
      m_pilots.back().claimant.join();
    }
    for (int i = 0; i < pilots; ++i) post();
  }

  nlohmann::json run(double seconds) {
    for (double now = 0; now < seconds; now += step_every_s) {
      const Clock::time_point begin = Clock::now();
      m_coordinator.step(now);
      m_counted.add("the coordinator looks", begin);
      for (SimulatedPilot& pilot : m_pilots) act(pilot, now);
    }
    return m_counted.json(seconds);
  }

 private:
  void post() {
    m_coordinator.post({.job = {{"source", std::string(job_bytes, 'x')}}, .label = {{"id", 1}}});
  }

  void act(SimulatedPilot& pilot, double now) {
    if (now >= pilot.renew_at) {
      pilot.renew_at += renew_every_s;
      const Clock::time_point begin = Clock::now();
      if (!pilot.claimant.renew()) std::abort();
      m_counted.add("a pilot renews", begin);
    }
    if (pilot.claim && now >= pilot.done_at) {
      const Clock::time_point begin = Clock::now();
      pilot.claimant.answer(*pilot.claim, {{"answer", std::string(job_bytes, 'x')}});
      m_counted.add("a pilot answers", begin);
      pilot.claim.reset();
      pilot.look_at = now;
      post();
    }
    if (pilot.claim || now < pilot.look_at) return;
    pilot.look_at = now + look_every_s;
    const Clock::time_point begin = Clock::now();
    pilot.claim = pilot.claimant.claim(false);
    m_counted.add(pilot.claim ? "a pilot claims" : "a pilot finds nothing", begin);
    // Jobs end spread over time.
    if (pilot.claim) pilot.done_at = now + m_job_seconds * (0.5 + (m_claims++ % 100) / 100.0);
  }

  Coordinator m_coordinator;
  const double m_job_seconds;
  std::vector<SimulatedPilot> m_pilots;
  int m_claims = 0;
  Counted m_counted;
};

int simulate(const std::string& directory, int pilots, double seconds, double job_seconds) {
  const SharedFolder folder(directory);
  const nlohmann::json json = Simulation(folder, pilots, job_seconds).run(seconds);
  std::printf("%s\n", json.dump(1).c_str());
  std::filesystem::remove_all(folder.path());
  return 0;
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s DIRECTORY PILOTS SECONDS JOB_SECONDS\n", argv[0]);
    return 2;
  }
  return robust_kbench::simulate(argv[1], std::atoi(argv[2]), std::atof(argv[3]),
                                 std::atof(argv[4]));
}
