#include "trial.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "broker/worker_enclosure.hpp"
#include "check/examiner.hpp"
#include "check/stop_rule.hpp"
#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "evaluate/build.hpp"
#include "evaluate/split_barriers.hpp"
#include "evaluate/synchronisation_check.hpp"
#include "linear_task.hpp"
#include "process/sandbox_facts.hpp"
#include "profile/tools.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

void run_cases(const Trial& trial, KernelRecord& record) {
  const Task task = linear_task();
  const std::string& library = record.build.library;
  // These configs are the usual set of every trial, so none may be refused.
  const ExamineOptions options{.worker = {.program = RKB_WORKER,
                                          .gpu = on_gpu(trial.name),
                                          .sandbox = sandbox_beside(RKB_WORKER),
                                          .limits = trial.limits},
                               .require_shapes = true,
                               .repeated_calls_time = trial.repeated_calls_time};
  const std::vector<Case> cases = linear_cases();
  record.cases = examine(task, record.entry, library, cases, options);
  if (!calls_sequence(record.cases, options)) return;
  record.cases.push_back(examine_sequence(task, record.entry, library, cases, options));
}

// All cases but the last, which is large for an instrumented kernel.
void sanitize(const std::string& compute_sanitizer, const std::string& cuobjdump,
              KernelRecord& record) {
  const Task task = linear_task();
  std::vector<Case> cases = linear_cases();
  cases.pop_back();
  const InspectedKernel kernel{
      .task = task, .entry = record.entry, .library = record.build.library, .worker = RKB_WORKER};
  for (const char* tool : {"racecheck", "synccheck"}) {
    record.cases.push_back(record_of_log(tool, [&] {
      return without_races_at_split_barriers(
          log_under(sanitizer_tool(tool, compute_sanitizer), kernel, cases), kernel.library,
          cuobjdump, kernel.worker);
    }));
  }
}

}  // namespace

bool on_gpu(const std::string& name) {
  return fs::path(name).parent_path().filename() == "cuda";
}

std::string suite_of(const std::string& name, const std::string& suite) {
  return on_gpu(name) ? "cuda_" + suite : suite;
}

KernelRecord try_kernel(const Trial& trial) {
  const std::string path = RKB_TRIALS "/" + trial.name + ".json";
  std::ifstream in(path);
  if (!in) throw UserError(path + " does not exist; build the target that compiles this kernel");
  KernelRecord record{.path = path,
                      .name = trial.name,
                      .entry = {linear_task().name, trial.direction},
                      .device = on_gpu(trial.name) ? Device::cuda : Device::cpu};
  record.build = nlohmann::json::parse(in).get<BuildRecord>();
  if (trial.refuse) refuse(refused_by_default(record.device), {}, record.build);
  record.judgement = record.build.judgement;
  record.sandbox = worker_means(load_manifest(RKB_MANIFEST).toolchain, on_gpu(trial.name));
  if (!record.build.judgement.passes()) return record;
  const std::string missing = on_gpu(trial.name) ? cuda_facts().missing : std::string();
  if (!missing.empty()) {
    record.judgement = {.verdict = Verdict::skipped, .reason = missing};
    return record;
  }
  Tool tool;
  std::string cuobjdump;
  if (trial.sanitize) {
    const Toolchain toolchain = load_manifest(RKB_MANIFEST).toolchain;
    cuobjdump = find_tool("cuobjdump", toolchain).path;
    tool = find_tool("compute-sanitizer", toolchain);
    if (tool.path.empty()) {
      record.judgement = {.verdict = Verdict::skipped, .reason = tool.missing};
      return record;
    }
  }
  run_cases(trial, record);
  if (trial.sanitize) sanitize(tool.path, cuobjdump, record);
  record.judgement = judgement_of(record);
  return record;
}

std::vector<std::string> kernels_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(directory)) {
    const fs::path& path = file.path();
    if (path.extension() == ".cpp" && !path.stem().string().ends_with("_test")) {
      names.push_back(path.stem());
    }
  }
  for (const auto& file : fs::directory_iterator(directory + "/cuda")) {
    if (file.path().extension() == ".cu") names.push_back("cuda/" + file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace robust_kbench
