#include "runs/backends.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "evaluate/several_gpus.hpp"
#include "evolve/process_backend.hpp"
#include "evolve/sharded_backend.hpp"

namespace robust_kbench {

namespace {

// Returns the named set, or none for a device's usual one.
std::vector<ConfigSet> config_sets(const std::string& configs) {
  if (configs.empty()) return {};
  return {parse_config_set(configs)};
}

}  // namespace

std::vector<Config> raced_configs(const Suite& suite, const Entry& entry, Device device,
                                  const EvolutionSettings& settings) {
  return timed_configs(suite.manifest(), suite.task(entry.task), entry.direction, device,
                       {.sets = config_sets(settings.configs)});
}

std::unique_ptr<EvaluationBackend> local_backend(const Suite& suite, Device device,
                                                 const BackendRequest& request,
                                                 LocalBackendOptions options) {
  options.sets = config_sets(request.configs);
  options.slower_limit = request.slower_limit;
  options.estimators = request.estimators;
  options.require_replay = request.require_replay;
  options.refused = refused_beyond(device, request.allow);
  options.side_by_side = request.side_by_side;
  return std::make_unique<LocalBackend>(suite.manifest(), suite.task(request.task),
                                        parse_direction(request.direction), device,
                                        std::move(options));
}

std::unique_ptr<EvaluationBackend> backend_on_gpus(const std::string& manifest_path,
                                                   const std::vector<int>& gpus,
                                                   const BackendRequest& request,
                                                   const std::stop_token& stop,
                                                   const std::stop_token& search) {
  if (std::set<int>(gpus.begin(), gpus.end()).size() != gpus.size()) {
    throw UserError("--gpus: a GPU is named twice; name each once");
  }
  std::vector<std::unique_ptr<EvaluationBackend>> all;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe")};
    if (!manifest_path.empty()) command.insert(command.end(), {"--manifest", manifest_path});
    const int of_this_gpu =
        (request.side_by_side + static_cast<int>(gpus.size()) - 1) / static_cast<int>(gpus.size());
    command.insert(command.end(),
                   {"evaluation-backend", "--task", request.task, "--direction", request.direction,
                    "--slower-limit", std::to_string(request.slower_limit), "--side-by-side",
                    std::to_string(of_this_gpu), "--gpu", std::to_string(gpus[i])});
    if (request.require_replay) command.emplace_back("--require-replay");
    if (!request.configs.empty()) command.insert(command.end(), {"--configs", request.configs});
    for (const std::string& name : request.estimators) {
      command.insert(command.end(), {"--estimator", name});
    }
    for (const std::string& name : request.allow) {
      command.insert(command.end(), {"--allow", name});
    }
    all.push_back(std::make_unique<ProcessBackend>(command, cpus_of(i, gpus.size()), stop, search));
  }
  return std::make_unique<ShardedBackend>(std::move(all));
}

}  // namespace robust_kbench
