#include <cstdio>
#include <filesystem>
#include <memory>

#include "broker/worker_enclosure.hpp"
#include "cli/command.hpp"
#include "command/common_options.hpp"
#include "compile/compile_cache.hpp"
#include "core/build_command.hpp"
#include "core/error.hpp"
#include "core/installation.hpp"
#include "core/output_file.hpp"
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
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// One thing that doctor looked for. `text` says what was found, or how to get it.
struct DoctorAnswer {
  std::string text;
  bool found = true;
};

// Prints answers as they come, and keeps them for --json.
class DoctorReport {
 public:
  void add(const std::string& what, const DoctorAnswer& answer) {
    const bool goes_on = !m_checks.empty() && m_checks.back()["name"] == what;
    std::printf("%-17s %s\n", goes_on ? "" : what.c_str(), answer.text.c_str());
    std::fflush(stdout);  // the next one may take a while
    m_checks.push_back({{"name", what}, {"found", answer.found}, {"text", answer.text}});
  }
  void add(const std::string& what, const std::string& text) { add(what, DoctorAnswer{text}); }

  [[nodiscard]] nlohmann::json json() const { return {{"checks", m_checks}}; }

 private:
  nlohmann::json m_checks = nlohmann::json::array();
};

DoctorAnswer present(const std::string& path, const std::string& remedy) {
  if (std::filesystem::exists(path)) return {path};
  return {"missing: " + path + "; " + remedy, false};
}

// The remedy where a file of the suite's own is missing.
std::string remedy_for(const Manifest& manifest, const std::string& target) {
  return is_of_installation(manifest.path) ? "install RobustKBench again"
                                           : "build it: " + build_command(manifest.path, target);
}

// A build finds compilers when it is configured, and an installation whenever it runs.
std::string remedy_for_compiler(const Manifest& manifest, const std::string& what,
                                const std::string& places) {
  if (is_of_installation(manifest.path)) return "install " + what + ", and have it " + places;
  return "install " + what + ", then: " + configure_command(manifest.path);
}

std::string describe_gpu(const CudaFacts& cuda) {
  const GpuFacts& gpu = gpu_facts();
  return fmt::format("{}, {} SMs of compute capability {:.1f}, {:.0f} GiB; {} usable in all",
                     gpu.name, gpu.multiprocessors, 0.1 * cuda.compute_capability,
                     static_cast<double>(gpu.memory_bytes) / (1ULL << 30), cuda.device_count);
}

DoctorAnswer describe_tool(const Tool& tool) {
  if (!tool.missing.empty()) return {"missing: " + tool.missing, false};
  return {tool.version.empty() ? tool.path : tool.path + ", " + tool.version};
}

DoctorAnswer describe_cupti(const CudaFacts& cuda) {
  if (!cuda.missing.empty()) return {"not asked: there is no GPU", false};
  const CudaActivities activities;
  if (activities.missing().empty()) return {"records"};
  return {"missing: " + activities.missing(), false};
}

DoctorAnswer describe_nvcc(const Manifest& manifest) {
  if (!manifest.toolchain.nvcc.empty()) return {manifest.toolchain.nvcc};
  const std::string places = std::string("in PATH or as ") + usual_cuda_programs + "/nvcc";
  return {"none: CUDA kernels are not compiled; " +
              remedy_for_compiler(manifest, "the CUDA toolkit", places),
          false};
}

DoctorAnswer describe_cache() {
  const std::string missing = CompileCache::missing();
  if (missing.empty()) return {CompileCache::directory().string()};
  return {"none: " + missing, false};
}

// Tells what keeps workers from other processes. `tool` is the program that workers run below, or
// empty.
void describe_sandbox(DoctorReport& report, const std::string& name, const Toolchain& toolchain,
                      const std::string& tool) {
  const SandboxMeans means = worker_means(toolchain, cuda_facts().missing.empty(), tool);
  const auto told = [&](const std::string& what, const std::string& by) {
    const bool found = by != "none";
    report.add(name, DoctorAnswer{what + ": " +
                                      (found ? "by " + by
                                             : "not enforced; a container may forbid it, and "
                                               "rkb_sandbox must lie beside rkb_worker"),
                                  found});
  };
  report.add(name, "environment: by named variables");
  told("network", means.network);
  told("files", means.files);
  told("processes", means.processes);
  report.add(name, "privileges: " + means.privileges);
}

void describe_machine(DoctorReport& report, const CudaFacts& cuda) {
  const CpuFacts cpu = cpu_facts();
  report.add("CPU",
             fmt::format("{}, {} usable cores, {:.0f} GiB", cpu.model, cpu.usable_cpus.size(),
                         static_cast<double>(cpu.memory_bytes) / (1ULL << 30)));
  report.add("GPU", cuda.missing.empty() ? DoctorAnswer{describe_gpu(cuda)}
                                         : DoctorAnswer{"none: " + cuda.missing, false});
  report.add("torch", torch_version());
}

void describe_tools(DoctorReport& report, const Manifest& manifest, const CudaFacts& cuda) {
  const Toolchain& toolchain = manifest.toolchain;
  report.add("C++ compiler",
             present(toolchain.cxx, remedy_for_compiler(manifest, "g++", "as " + toolchain.cxx)));
  report.add("nvcc", describe_nvcc(manifest));
  for (const Tool& tool : find_tools(toolchain)) report.add(tool.name, describe_tool(tool));
  report.add("CUPTI", describe_cupti(cuda));
  report.add("compile cache", describe_cache());
  report.add("worker", present(toolchain.worker, remedy_for(manifest, "rkb_worker")));
  describe_sandbox(report, "sandbox", toolchain, "");
  for (const char* name : tools_above_workers) {
    const Tool tool = find_tool(name, toolchain);
    if (!cuda.missing.empty() || tool.path.empty()) continue;
    describe_sandbox(report, fmt::format("below {}", name), toolchain, tool.path);
  }
}

void describe_kernels(DoctorReport& report, const Manifest& manifest) {
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
  report.add("kernels", fmt::format("{}, of which {} not built yet and {} skipped here",
                                    manifest.kernels.size(), unbuilt, skipped));
  if (skipped > 0) report.add("why skipped", why_skipped);
}

int run_doctor(const Program& program, const std::string& json) {
  const OutputFile json_file(json);
  DoctorReport report;
  const CudaFacts cuda = cuda_facts();
  describe_machine(report, cuda);
  const Suite suite(program.tasks, program.manifest_path);
  report.add("manifest", suite.manifest().path);
  describe_tools(report, suite.manifest(), cuda);
  report.add("tasks", std::to_string(suite.tasks().tasks().size()));
  describe_kernels(report, suite.manifest());
  json_file.write(report.json());
  return ExitCode::pass;
}

}  // namespace

Action add_doctor_command(const Program& program, CommandLine& command) {
  const auto json = std::make_shared<std::string>();
  add_common_option(command, "--json", *json);
  return [program, json] { return run_doctor(program, *json); };
}

}  // namespace robust_kbench
