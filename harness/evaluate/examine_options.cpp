#include "evaluate/examine_options.hpp"

#include <algorithm>

#include "core/kernel_places.hpp"
#include "core/own_config.hpp"
#include "device/cpu.hpp"
#include "evaluate/gpu_queues.hpp"
#include "evaluate/replay.hpp"
#include "process/sandbox_facts.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t full_output_bytes = std::size_t{1} << 20;  // limit for a case's record

// Only a kernel of the suite has a name that a command can use.
KernelSource as_named(const KernelSource& kernel, const Manifest& manifest) {
  const auto is_it = [&](const KernelSource& known) { return known.record == kernel.record; };
  KernelSource named = kernel;
  if (std::none_of(manifest.kernels.begin(), manifest.kernels.end(), is_it)) named.record.clear();
  return named;
}

}  // namespace

ExamineOptions examine_options(SharedState& shared, const KernelSource& kernel,
                               const Request& request, const Scope& scope) {
  ExamineOptions options;
  options.worker.program = shared.manifest.toolchain.worker;
  options.worker.sandbox = sandbox_beside(options.worker.program);
  options.worker.readable = library_places(kernel);
  options.worker.entry_point = entry_point_of(kernel);
  options.worker.gpu = shared.on_gpu();
  options.worker.gpu_queues = gpu_queues_of(kernel);
  options.worker.limits.call_timeout = shared.options.bench.call_timeout;
  options.worker.threads = static_cast<int>(cpu_facts().usable_cpus.size());
  options.worker.stop = request.stop;
  if (request.output_in_full) {
    options.output_of_all = true;
    options.worker.output_bytes = full_output_bytes;
  }
  options.nonce = scope.nonce;
  // Contents of a single requested case are needed only once.
  if (scope.only_case.empty()) options.contents = &shared.contents();
  options.limits = &shared.limits;
  options.slow_calls = request.slow_calls;
  // A command line has no names for other configs that a caller made.
  if (std::ranges::all_of(scope.configs, is_own)) {
    options.replay_command =
        replay_command(as_named(kernel, shared.manifest), shared.task, scope.configs);
  }
  options.all_cases = scope.all_cases;
  options.require_shapes = scope.require_shapes;
  return options;
}

}  // namespace robust_kbench
