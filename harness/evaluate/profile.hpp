#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/config.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The names of the profilers, in the order in which they run.
std::vector<std::string> profiler_names();

struct ProfileOptions {
  std::vector<std::string> profilers;  // some of profiler_names(); empty: all
  // Configs for CUPTI, Nsight Compute and the roofline. Empty: usual_timed_configs().
  std::vector<ConfigSet> config_sets;
  std::string only_case;  // one case by name, of any set; empty: seed 1 of each config
  // One line of text without a newline, and the share of profilers that have answered.
  std::function<void(const std::string& text, double share)> on_progress;
  std::stop_token stop = {};  // kills tools and workers, and profile() throws Cancelled
};

// Runs every available profiler on a kernel. Returns one record for each case that CUPTI, Nsight
// Compute or the roofline examines, else a single record. ptxas, clang-tidy and the vectorizer read
// the source. The roofline times calls of a CPU kernel (evaluate/cpu_call_timer.hpp). CUPTI traces
// a call on the case while no other process of ours uses the GPU. Nsight Compute counts in another
// call. Each tool of compute-sanitizer examines the requested case, or else the entry's first
// `small` config, since instrumented code runs some hundred times slower. The record gives the
// reason for each profiler that cannot run. Throws UserError for a case that does not exist.
std::vector<KernelRecord> profile(const Manifest& manifest, const Task& task,
                                  const KernelSource& kernel, const ProfileOptions& options);

}  // namespace robust_kbench
