#include "json_file.hpp"

#include <chrono>
#include <filesystem>

#include "core/json_fields.hpp"
#include "device/cpu.hpp"
#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/machine.hpp"
#include "process/command.hpp"
#include "tensor/torch_facts.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

// The commit of the repository that contains the first task, or null where there is none.
json commit_of(const Manifest& manifest) {
  if (manifest.tasks.empty()) return nullptr;
  try {
    CommandResult result = run_command(
        {"/usr/bin/env", "git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"},
        std::chrono::seconds(10), manifest.tasks.front().directory);
    while (result.output.ends_with('\n')) result.output.pop_back();
    if (result.exit_code == 0) return result.output;
  } catch (const std::exception&) {
    // Timings without a commit are still useful.
  }
  return nullptr;
}

}  // namespace

json context_json(const Manifest& manifest, Device device, const BenchOptions& options) {
  const CpuFacts cpu = cpu_facts();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {{"unix_time", std::chrono::duration_cast<std::chrono::seconds>(now).count()},
          {"commit", commit_of(manifest)},
          {"host", machine_record(false).host},
          {"device", to_string(device)},
          {"cpu", cpu.model},
          {"usable_cpus", cpu.usable_cpus.size()},
          {"memory_bytes", cpu.memory_bytes},
          {"gpu", cuda_facts().missing.empty() ? json(gpu_facts().name) : json(nullptr)},
          {"torch", torch_version()},
          {"compiler", manifest.toolchain.cxx},
          {"workers", options.workers},
          {"threads", options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                          : cpu.usable_cpus.size()},
          {"target_interval", options.target_interval},
          {"cap_seconds", std::chrono::duration<double>(options.cap).count()}};
}

json case_json(const RuntimeCase& runtime_case, const RuntimeCaseResult& result) {
  json object = {{"name", runtime_case.name},
                 {"task", runtime_case.entry.task},
                 {"direction", to_string(runtime_case.entry.direction)},
                 {"config", runtime_case.config.name},
                 {"subject", runtime_case.subject},
                 {"timing", nullptr},
                 {"roofline", value_or_null(result.roofline)},
                 {"speedups", result.speedups}};
  put_judgement(object, result.judgement);
  if (result.judgement.passes()) object["timing"] = result.timing;
  return object;
}

}  // namespace robust_kbench
