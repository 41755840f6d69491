#include <memory>

#include "agent/agent_program.hpp"
#include "command/command_line.hpp"
#include "core/error.hpp"
#include "evaluate/several_gpus.hpp"
#include "evaluate/suite.hpp"
#include "evolve/process_backend.hpp"
#include "runs/backends.hpp"

namespace robust_kbench {

Action add_evaluation_backend_command(const AgentProgram& program, CommandLine& command) {
  const auto request = std::make_shared<BackendRequest>();
  const auto gpu = std::make_shared<int>(0);
  command.add_option("--task", request->task);
  command.add_option("--direction", request->direction);
  command.add_option("--configs", request->configs);
  command.add_option("--estimator", request->estimators);
  command.add_option("--allow", request->allow);
  command.add_option("--slower-limit", request->slower_limit);
  command.add_flag("--require-replay", request->require_replay);
  command.add_option("--side-by-side", request->side_by_side);
  command.add_option("--gpu", *gpu);
  return [program, request, gpu] {
    take_gpu(*gpu);
    const Suite suite(program.tasks, program.manifest_path);
    std::stop_source stop;
    std::stop_source search;
    const auto backend = local_backend(suite, Device::cuda, *request,
                                       {.stop = stop.get_token(), .search = search.get_token()});
    serve_evaluations(*backend, stop, search);
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
