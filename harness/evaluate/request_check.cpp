#include "evaluate/request_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "bench/baseline.hpp"
#include "core/error.hpp"
#include "evaluate/requirements.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

void check_replay(const SharedState& shared, const Request& request) {
  if (request.require_replay && request.replay != Replay::always) {
    throw UserError(
        "a replay cannot be required without being asked for; set `replay` to always as well");
  }
  if (request.replay == Replay::never || request.replay == Replay::if_possible) return;
  if (!shared.on_gpu()) throw UserError("a replay is of work on a GPU; ask for none on the CPU");
  if (!request.stages.contains(Stage::time)) {
    throw UserError("a replay follows the timing of a kernel; ask for that stage, too");
  }
  (void)replayer_of(shared.manifest.toolchain);
}

}  // namespace

void check_request(const SharedState& shared, const KernelSource& kernel, const Request& request) {
  const auto wants = [&](Stage stage) { return request.stages.contains(stage); };
  const auto require_own = [&](const KernelSource& own) {
    if (own.entry == shared.entry && own.device == shared.device) return;
    throw UserError(fmt::format("kernel '{}' is for {} on {}; this evaluator is for {} on {}",
                                own.name, own.entry.name(), to_string(own.device),
                                shared.entry.name(), to_string(shared.device)));
  };
  require_own(kernel);
  const std::vector<std::string>& baselines = shared.options.bench.baselines;
  for (const auto& [name, rival] : request.rivals) {
    require_own(rival);
    if (name == kernel_subject ||
        std::find(baselines.begin(), baselines.end(), name) != baselines.end()) {
      throw UserError("a rival cannot be called '" + name +
                      "', as another subject of the race is; give it another name");
    }
  }
  if (!request.estimators.empty() && !shared.on_gpu()) {
    throw UserError("other estimators are for CUDA kernels; ask for none on the CPU");
  }
  check_replay(shared, request);
  if (wants(Stage::sanitize) && (wants(Stage::test) || wants(Stage::time))) {
    throw UserError(
        "the stage sanitize is a request of its own, since the tool needs memory of its own; ask "
        "for "
        "compile and sanitize alone");
  }
  if (!wants(Stage::time)) return;
  for (const std::string& name : baselines) (void)parse_baseline(name, shared.device);
  if (baselines.empty()) {
    throw UserError(
        "nothing is timed without a baseline, whose workers tell what a call costs that "
        "does nothing; give one to the evaluator");
  }
}

}  // namespace robust_kbench
