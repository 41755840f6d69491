#include <cstdio>
#include <filesystem>

#include "broker/worker_enclosure.hpp"
#include "cli/command.hpp"
#include "compile/compile_cache.hpp"
#include "core/build_command.hpp"
#include "core/error.hpp"
#include "device/cpu.hpp"
#include "device/cuda_activities.hpp"
#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"
#include "profile/tools.hpp"
#include "tensor/task_registry.hpp"
#include "tensor/torch_facts.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

void print_line(const std::string& what, const std::string& value) {
  std::printf("%-17s %s\n", what.c_str(), value.c_str());
}

std::string present(const std::string& path, const std::string& remedy) {
  return std::filesystem::exists(path) ? path : "missing: " + path + "; " + remedy;
}

std::string describe_gpu(const CudaFacts& cuda) {
  const GpuFacts& gpu = gpu_facts();
  return fmt::format("{}, {} SMs of compute capability {:.1f}, {:.0f} GiB; {} usable in all",
                     gpu.name, gpu.multiprocessors, 0.1 * cuda.compute_capability,
                     static_cast<double>(gpu.memory_bytes) / (1ULL << 30), cuda.device_count);
}

std::string describe_tool(const Tool& tool) {
  if (!tool.missing.empty()) return "missing: " + tool.missing;
  return tool.version.empty() ? tool.path : tool.path + ", " + tool.version;
}

std::string describe_cupti() {
  const CudaActivities activities;
  return activities.missing().empty() ? "records" : "missing: " + activities.missing();
}

// Tells what keeps workers from other processes. `tool` is the program that workers run below, or
// empty.
void describe_sandbox(const std::string& name, const Toolchain& toolchain,
                      const std::string& tool) {
  const SandboxMeans means = worker_means(toolchain, cuda_facts().missing.empty(), tool);
  const auto told = [](const std::string& by) {
    return by == "none" ? "not enforced; a container may forbid it, and rkb_sandbox must lie "
                          "beside rkb_worker"
                        : "by " + by;
  };
  print_line(name, "environment: by named variables");
  print_line("", "network: " + told(means.network));
  print_line("", "files: " + told(means.files));
  print_line("", "processes: " + told(means.processes));
  print_line("", "privileges: " + means.privileges);
}

void describe_machine(const CudaFacts& cuda) {
  const CpuFacts cpu = cpu_facts();
  print_line("CPU",
             fmt::format("{}, {} usable cores, {:.0f} GiB", cpu.model, cpu.usable_cpus.size(),
                         static_cast<double>(cpu.memory_bytes) / (1ULL << 30)));
  print_line("GPU", cuda.missing.empty() ? describe_gpu(cuda) : "none: " + cuda.missing);
  print_line("torch", torch_version());
}

void describe_tools(const Manifest& manifest, const CudaFacts& cuda) {
  const std::string configure = configure_command(manifest.path);
  print_line("C++ compiler", present(manifest.toolchain.cxx, "install g++, then: " + configure));
  print_line("nvcc", manifest.toolchain.nvcc.empty()
                         ? "none: CUDA kernels are not compiled; install the CUDA toolkit, then: " +
                               configure
                         : manifest.toolchain.nvcc);
  for (const Tool& tool : find_tools(manifest.toolchain))
    print_line(tool.name, describe_tool(tool));
  print_line("CUPTI", cuda.missing.empty() ? describe_cupti() : "not asked: there is no GPU");
  const std::string no_cache = CompileCache::missing();
  print_line("compile cache",
             no_cache.empty() ? CompileCache::directory().string() : "none: " + no_cache);
  print_line("worker", present(manifest.toolchain.worker,
                               "build it: " + build_command(manifest.path, "rkb_worker")));
  describe_sandbox("sandbox", manifest.toolchain, "");
  for (const char* name : tools_above_workers) {
    const Tool tool = find_tool(name, manifest.toolchain);
    if (!cuda.missing.empty() || tool.path.empty()) continue;
    describe_sandbox(fmt::format("below {}", name), manifest.toolchain, tool.path);
  }
}

void describe_kernels(const Manifest& manifest) {
  std::size_t skipped = 0;
  std::string why_skipped;
  std::size_t unbuilt = 0;
  for (const KernelSource& kernel : manifest.kernels) {
    if (const std::string reason = skip_reason(kernel, manifest.toolchain); !reason.empty()) {
      ++skipped;
      why_skipped = reason;
    }
    // An installation compiles its kernels when it uses them.
    unbuilt += !kernel.record.empty() && !std::filesystem::exists(kernel.record);
  }
  print_line("kernels", fmt::format("{}, of which {} not built yet and {} skipped here",
                                    manifest.kernels.size(), unbuilt, skipped));
  if (skipped > 0) print_line("why skipped", why_skipped);
}

int run_doctor(const Program& program) {
  const CudaFacts cuda = cuda_facts();
  describe_machine(cuda);
  const Suite suite(program.tasks, program.manifest_path);
  print_line("manifest", suite.manifest().path);
  describe_tools(suite.manifest(), cuda);
  print_line("tasks", std::to_string(suite.tasks().tasks().size()));
  describe_kernels(suite.manifest());
  return ExitCode::pass;
}

}  // namespace

Action add_doctor_command(const Program& program, CommandLine&) {
  return [program] { return run_doctor(program); };
}

}  // namespace robust_kbench
