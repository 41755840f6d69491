#include "prompt/prompt_subject.hpp"

#include <algorithm>
#include <utility>

#include "compile/standard_flags.hpp"
#include "evaluate/build.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/task_directory.hpp"

namespace robust_kbench {
namespace {

// The names of configs on which CUDA kernels are tested. Small ones may be refused there, so a
// prompt need not name them.
std::vector<std::string> tested_on_gpus(const Manifest& manifest, const Task& task,
                                        Direction direction, const std::vector<Config>& timed) {
  std::vector<std::string> names;
  for (const Config& config : any_configs_of(manifest, task, direction, {ConfigSet::multi})) {
    const bool is_timed = std::ranges::any_of(
        timed, [&](const Config& other) { return other.params == config.params; });
    if (!is_timed) names.push_back(config.name);
  }
  return names;
}

}  // namespace

PromptSubject prompt_subject(const Manifest& manifest, const Task& task, Direction direction,
                             Device device, std::vector<Config> timed,
                             std::vector<std::string> machine,
                             const std::vector<std::string>& allowed) {
  std::vector<std::string> tested;
  if (device == Device::cuda && !timed.empty()) {
    tested = tested_on_gpus(manifest, task, direction, timed);
  }
  return {.task = task,
          .direction = direction,
          .device = device,
          .configs = std::move(timed),
          .tested = std::move(tested),
          .reference = reference_source(manifest, task),
          .machine = std::move(machine),
          .flags = standard_flags(device, directory_of(manifest, task).fast_math),
          .refused = refused_beyond(device, allowed)};
}

PromptSubject subject_beside(const KernelSource& kernel, PromptSubject subject) {
  subject.refused = refused_to(kernel, std::move(subject.refused));
  return subject;
}

}  // namespace robust_kbench
