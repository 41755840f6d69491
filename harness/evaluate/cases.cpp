#include <algorithm>
#include <filesystem>

#include "bench/baseline.hpp"
#include "bench/packages.hpp"
#include "compile/compile.hpp"
#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "evaluate/evaluate.hpp"
#include "profile/tools.hpp"
#include "tensor/reference.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/torch_cuda.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

std::vector<ConfigSet> sets_or(ConfigSet usual, const EvaluateOptions& options) {
  return options.config_sets.empty() ? std::vector{usual} : options.config_sets;
}

std::string needed(const std::vector<ConfigSet>& sets) {
  std::string text;
  for (const ConfigSet set : sets) {
    text += fmt::format("{0}{1}_init_configs, {1}_input_configs and {1}_shared_configs",
                        text.empty() ? "" : "; or ", to_string(set));
  }
  return text +
         " must each hold an object at least, {} where it has nothing to say; or ask for "
         "another set by --configs";
}

}  // namespace

std::vector<Config> configs_of(const Manifest& manifest, const Task& task, Direction direction,
                               const std::vector<ConfigSet>& sets) {
  const TaskDirectory& directory = manifest.task(task.name);
  const nlohmann::json file = load_config_file(directory, direction);
  const std::string source =
      directory.directory + "/config_" + std::string(to_string(direction)) + ".json";
  std::vector<Config> configs;
  for (const ConfigSet set : sets) {
    const std::vector<Config> expanded =
        expand_configs(file, source, set, task.defaults, contract(task, direction).ignored_keys);
    for (const Config& config : expanded) check_specs(task, direction, config.params, source);
    configs.insert(configs.end(), expanded.begin(), expanded.end());
  }
  // Nothing to test would be a pass.
  if (configs.empty()) throw UserError(source + " has none of the wanted configs: " + needed(sets));
  return configs;
}

std::vector<Config> tested_configs(const Manifest& manifest, const Task& task,
                                   const KernelSource& kernel, const EvaluateOptions& options) {
  return configs_of(manifest, task, kernel.entry.direction,
                    sets_or(usual_configs(kernel), options));
}

std::vector<Config> timed_configs(const Manifest& manifest, const Task& task,
                                  const KernelSource& kernel, const EvaluateOptions& options) {
  return configs_of(manifest, task, kernel.entry.direction,
                    sets_or(usual_timed_configs(kernel), options));
}

std::vector<Case> cases_of(const std::vector<Config>& configs, int seeds) {
  std::vector<Case> cases;
  for (const Config& config : configs) {
    for (int seed = 1; seed <= seeds; ++seed) {
      cases.push_back({config, static_cast<std::uint64_t>(seed)});
    }
  }
  return cases;
}

ConfigSet usual_configs(const KernelSource& kernel) {
  return kernel.device == "cuda" ? ConfigSet::multi : ConfigSet::small;
}

ConfigSet usual_timed_configs(const KernelSource& kernel) {
  return kernel.device == "cuda" ? ConfigSet::single : ConfigSet::small;
}

std::string missing_packages(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                             const EvaluateOptions& options) {
  const bool wanted = std::any_of(
      options.baselines.begin(), options.baselines.end(), [&](const std::string& baseline) {
        return parse_baseline(baseline, kernel.device).kind == Baseline::Kind::compile;
      });
  if (!options.bench || !wanted) return {};
  const std::vector<Config> configs = timed_configs(manifest, task, kernel, options);
  const auto missing = std::count_if(configs.begin(), configs.end(), [&](const Config& config) {
    return !compile_package(manifest, kernel.device, kernel.entry, config);
  });
  if (missing == 0) return {};
  const auto rkb_bench =
      std::filesystem::path(manifest.toolchain.worker).parent_path() / "rkb_bench";
  const std::string remedy =
      std::filesystem::exists(rkb_bench)
          ? fmt::format("benchmarks/make_compile_packages.py --rkb-bench {} --device {}",
                        rkb_bench.string(), kernel.device)
          : "RobustKBench's own build, of whose targets rkb_bench is one that is not built here";
  return fmt::format(
      "{}: torch.compile is not timed on {} of {} configs, which have no package; they are made by "
      "{}",
      kernel.entry.name(), missing, configs.size(), remedy);
}

std::string skip_reason(const KernelSource& kernel, const Toolchain& toolchain) {
  if (kernel.device != "cuda") return {};
  const std::string compiler = missing_compiler(kernel, toolchain);
  const std::string& gpu = cuda_facts().missing;
  return compiler + (compiler.empty() || gpu.empty() ? "" : ", and ") + gpu;
}

std::string sanitize_skip_reason(const KernelSource& kernel, const Toolchain& toolchain,
                                 const Tool& compute_sanitizer) {
  if (kernel.device != "cuda") return "compute-sanitizer looks at CUDA kernels only";
  const std::string& missing = compute_sanitizer.missing;
  return missing.empty() ? skip_reason(kernel, toolchain) : "compute-sanitizer is " + missing;
}

void load_torch_for(const Manifest& manifest, const std::vector<KernelSource>& kernels) {
  const auto is_for_cuda = [](const KernelSource& kernel) { return kernel.device == "cuda"; };
  const auto cuda = std::find_if(kernels.begin(), kernels.end(), is_for_cuda);
  if (cuda == kernels.end() || std::all_of(kernels.begin(), kernels.end(), is_for_cuda)) return;
  if (skip_reason(*cuda, manifest.toolchain).empty()) load_torch_cuda();
}

}  // namespace robust_kbench
