#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "evaluate/suite.hpp"
#include "evolve/evaluation_backend.hpp"
#include "evolve/local_backend.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// Identifies what a run evaluates, and how.
struct BackendRequest {
  std::string task;
  std::string direction;
  std::string configs;  // the set that counts; empty: the device's usual one
  std::vector<std::string> estimators;
  std::vector<std::string> allow;  // EvolutionSettings::allow
  bool require_replay = false;     // EvolutionSettings::require_replay
  double slower_limit = 0.1;
  int side_by_side = 1;
};

// The configs on which kernels of a run with these settings are timed.
std::vector<Config> raced_configs(const Suite& suite, const Entry& entry, Device device,
                                  const EvolutionSettings& settings);

// The backend on this process's device, which `suite` outlives. `options` say how it ends and how
// it shows progress; the request says all else.
std::unique_ptr<EvaluationBackend> local_backend(const Suite& suite, Device device,
                                                 const BackendRequest& request,
                                                 LocalBackendOptions options);

// The backend on several GPUs, given by their indices, with a process for each. A stop of `search`
// ends whatever decides a candidate, and one of `stop` ends everything.
std::unique_ptr<EvaluationBackend> backend_on_gpus(const std::string& manifest_path,
                                                   const std::vector<int>& gpus,
                                                   const BackendRequest& request,
                                                   const std::stop_token& stop,
                                                   const std::stop_token& search);

}  // namespace robust_kbench
