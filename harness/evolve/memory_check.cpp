#include "evolve/memory_check.hpp"

#include "core/kernel_places.hpp"
#include "device/cpu_lock.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/synchronisation_check.hpp"
#include "evaluate/tool_log.hpp"
#include "profile/tools.hpp"

namespace robust_kbench {

KernelRecord memory_check(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                          const std::stop_token& stop) {
  KernelRecord record{.path = kernel.sources.front(),
                      .name = kernel.name,
                      .entry = kernel.entry,
                      .entry_point = kernel.entry_point,
                      .device = kernel.device,
                      .judgement = passed()};
  record.gpu = gpu_facts().name;
  const Tool tool = find_tool("compute-sanitizer", manifest.toolchain);
  const Direction direction = kernel.entry.direction;
  const auto inspected = case_to_inspect(
      task, direction, any_configs_of(manifest, task, direction, {ConfigSet::small}));
  if (tool.path.empty() || !inspected) return record;
  const CpuLock processors(GpuLock::Use::shared);
  const CaseRecord looked = record_of_log("memcheck", [&] {
    return log_under(sanitizer_tool("memcheck", tool.path),
                     {.task = task,
                      .entry = kernel.entry,
                      .library = kernel.library,
                      .entry_point = entry_point_of(kernel),
                      .worker = manifest.toolchain.worker,
                      .readable = library_places(kernel),
                      .stop = stop},
                     {*inspected});
  });
  record.judgement = looked.judgement;
  record.cases = {looked};
  return record;
}

}  // namespace robust_kbench
