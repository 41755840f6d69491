#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include <robust_kbench/task.hpp>

// Source to record: compile, test, time. What `rkb` and evolution share.
namespace robust_kbench {

struct BenchOptions;
class BenchSession;
class ContentCache;
class GpuClaim;
struct Tool;

struct EvaluateOptions {
  // To test and to time; empty: usual_configs() and usual_timed_configs() of the kernel.
  std::vector<ConfigSet> config_sets = {};
  int seeds = default_seeds;
  std::string only_case;    // one case by name, of any set, or "sequence"; empty: all of the sets
  std::uint64_t nonce = 0;  // keys the calls between those of a case; 0: a secret one
  bool all_cases = false;   // call them however many fail, see check/stop_rule.hpp
  bool bench = true;
  // Look at the calls of the cases by compute-sanitizer, and do nothing else.
  bool sanitize = false;
  // In which a kernel must be loaded, and do a batch of calls: one when it is tested.
  std::chrono::milliseconds call_timeout = Limits().call_timeout;
  bool cache = true;  // of compiled objects, see compile/compile_cache.hpp
  std::vector<std::string> baselines{"eager"};  // to time it against, see bench/baseline.hpp
  std::vector<std::string> estimators;  // to ask as well, of a CUDA kernel (ipc/estimate.hpp)
  // Of the kernel's entry and usual timed configs, made without kernels and shared with other
  // kernels; none: one of its own.
  BenchSession* session = nullptr;
  ContentCache* contents = nullptr;  // shared with other kernels of the entry; may be none
  // Holds what a CUDA kernel takes of the GPU's memory, to be tested and to be timed in `session`;
  // none: the evaluation claims that itself.
  const GpuClaim* claim = nullptr;
  std::function<void(const std::string&)> on_progress;  // one line of text, no newline
};

// What the tests of a kernel cover unless asked otherwise: small on the CPU, multi on CUDA.
ConfigSet usual_configs(const KernelSource& kernel);
// What it is timed on unless asked otherwise: small on the CPU, single on CUDA.
ConfigSet usual_timed_configs(const KernelSource& kernel);

// Every case of an entry: configs of the sets x seeds 1..seeds. Throws UserError where the sets
// hold no config, or one of whose tensors cannot be made (tensor/spec_check.hpp).
std::vector<Config> configs_of(const Manifest& manifest, const Task& task, Direction direction,
                               const std::vector<ConfigSet>& sets);
// Of the options' sets, or else of the kernel's usual ones: to test, and to time.
std::vector<Config> tested_configs(const Manifest& manifest, const Task& task,
                                   const KernelSource& kernel, const EvaluateOptions& options);
std::vector<Config> timed_configs(const Manifest& manifest, const Task& task,
                                  const KernelSource& kernel, const EvaluateOptions& options);
std::vector<Case> cases_of(const std::vector<Config>& configs, int seeds);

// Which baselines cannot be timed for want of packages (bench/packages.hpp), and how to make them;
// empty where none are missing. Does not ask the GPU's driver, which a process that forks must not.
std::string missing_packages(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                             const EvaluateOptions& options);

// Why this kernel cannot be compiled or run on this machine; empty where it can.
std::string skip_reason(const KernelSource& kernel, const Toolchain& toolchain);
// The same for its sanitizers, by what find_tool() says of compute-sanitizer.
std::string sanitize_skip_reason(const KernelSource& kernel, const Toolchain& toolchain,
                                 const Tool& compute_sanitizer);

// Before one process tests or times all of these kernels: the first convolution or backward on the
// CPU settles for good whether torch has CUDA. Throws HarnessError where this torch cannot use the
// GPU that is here.
void load_torch_for(const Manifest& manifest, const std::vector<KernelSource>& kernels);

// Compiles the kernel into a temporary place, then examines and times it.
KernelRecord evaluate(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                      const EvaluateOptions& options);

// The same for a kernel that the build has compiled already.
KernelRecord evaluate_built(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                            const EvaluateOptions& options);

// Before kernels are evaluated one after another: throws UserError for one of the build that is not
// built, which would else cost the records of those before it.
void require_built(const Manifest& manifest, const std::vector<KernelSource>& kernels);

// What `evaluation` makes, or that the harness failed, which is no reason not to go on with other
// kernels. Passes on what a user can mend.
KernelRecord or_harness_failed(const KernelSource& kernel,
                               const std::function<KernelRecord()>& evaluation);
// Of a kernel that could not be evaluated: `harness_error`.
KernelRecord harness_failed(const KernelSource& kernel, const std::string& reason);

// What serves to time a kernel with these options.
BenchOptions bench_options(const KernelSource& kernel, const EvaluateOptions& options);

// The build record that a build left for a kernel. Throws UserError where there is none yet, or it
// cannot be read.
BuildRecord load_build_record(const KernelSource& kernel);

}  // namespace robust_kbench
