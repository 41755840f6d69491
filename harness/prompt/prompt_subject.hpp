#pragma once

#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/device.hpp"
#include "core/manifest.hpp"
#include "prompt/reference_source.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The entry that prompts are about, and the machine that its kernels run on. The task outlives it.
struct PromptSubject {
  const Task& task;
  Direction direction = Direction::forward;
  Device device = Device::cpu;
  std::vector<Config> configs;      // that are timed, whose shapes are shown; empty: none
  std::vector<std::string> tested;  // names of others that a kernel must take
  ReferenceSource reference;
  std::vector<std::string> machine;  // machine_facts()
  std::vector<std::string> flags;    // that every kernel is compiled with
  Capabilities refused = {};         // that a kernel's code may not ask for
};

// The subject for an entry of a build. `timed` are the configs whose shapes prompts show, and where
// there are some, the names of those on which CUDA kernels are also tested follow. `machine` is
// machine_facts(), or what a run has recorded of it. `allowed` are the names of capabilities that
// kernels may use although they are refused by default. Throws UserError where the task has no
// reference to show.
PromptSubject prompt_subject(const Manifest& manifest, const Task& task, Direction direction,
                             Device device, std::vector<Config> timed,
                             std::vector<std::string> machine,
                             const std::vector<std::string>& allowed);

// The subject of proposals that are compiled as `kernel` is. More may be allowed to it than to
// others.
PromptSubject subject_beside(const KernelSource& kernel, PromptSubject subject);

}  // namespace robust_kbench
