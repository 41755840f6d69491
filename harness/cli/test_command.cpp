#include "check/examiner.hpp"
#include "cli/command.hpp"
#include "cli/suite.hpp"
#include "core/error.hpp"
#include "device/cpu.hpp"
#include "evaluate/evaluate.hpp"
#include "exec/temporary_directory.hpp"
#include "report/progress_line.hpp"
#include "report/summary.hpp"
#include "verify/compile.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

struct Options {
  std::string task, direction, kernel, case_name, configs = "small", nonce, json;
  int seeds = default_seeds;
};

std::uint64_t parse_nonce(const std::string& text) {
  try {
    std::size_t end = 0;
    const std::uint64_t nonce = std::stoull(text, &end, 0);
    if (end == text.size()) return nonce;
  } catch (const std::exception&) {
  }
  throw UserError("--nonce '" + text + "' is no number; give the one that the failure printed");
}

// Every set, since a case is named with its set.
std::vector<Case> select_cases(const Suite& suite, const Task& task, Direction direction,
                               const Options& options) {
  const bool one = !options.case_name.empty() && options.case_name != "sequence";
  const std::vector<ConfigSet> sets =
      one ? std::vector{ConfigSet::single, ConfigSet::multi, ConfigSet::small}
          : std::vector{parse_config_set(options.configs)};
  std::vector<Case> cases =
      cases_of(configs_of(suite.manifest(), task, direction, sets), options.seeds);
  if (!one) return cases;
  std::erase_if(cases, [&](const Case& c) { return c.name() != options.case_name; });
  if (cases.empty()) {
    throw UserError("case '" + options.case_name + "' does not exist for " + task.name + "." +
                    std::string(to_string(direction)) + "; `rkb list --json` lists the cases");
  }
  return cases;
}

// A kernel of the build by its name, or any source file by its path.
std::vector<KernelSource> select_kernels(const Suite& suite, const Options& options) {
  if (std::filesystem::path(options.kernel).extension().empty()) {
    return suite.kernels(options.task, options.direction, options.kernel);
  }
  return {suite.loose_kernel(options.task, options.direction, "", options.kernel)};
}

KernelRecord test(const Suite& suite, KernelSource kernel, const Options& options,
                  ProgressLine& progress) {
  const Task& task = suite.task(kernel.entry.task);
  const TemporaryDirectory directory("rkb_test");
  const bool loose = kernel.record.empty();
  KernelRecord record{.path = kernel.sources.front(),
                      .name = kernel.name,
                      .entry = kernel.entry,
                      .device = kernel.device};
  record.build =
      loose ? compile(kernel, suite.manifest().toolchain, directory.path() / "kernel.so", "")
            : load_build_record(kernel);
  record.skipped_reason = skip_reason(kernel);
  if (record.build.verdict == Verdict::pass && record.skipped_reason.empty()) {
    const std::vector<Case> cases = select_cases(suite, task, kernel.entry.direction, options);
    ExamineOptions examine_options;
    examine_options.worker.program = suite.manifest().toolchain.worker;
    examine_options.worker.threads = static_cast<int>(cpu_facts().usable_cpus.size());
    examine_options.nonce = options.nonce.empty() ? 0 : parse_nonce(options.nonce);
    examine_options.replay_command = fmt::format(
        "rkb test --task {} --direction {} --kernel {}", kernel.entry.task,
        to_string(kernel.entry.direction), loose ? kernel.sources.front() : kernel.name);
    examine_options.on_case = [&](const CaseRecord& c) {
      progress.update(kernel.entry.name() + "." + kernel.name + ": " + c.name);
    };
    const std::string& library = record.build.library;
    if (options.case_name != "sequence") {
      record.cases = examine(task, kernel.entry, library, cases, examine_options);
    }
    if (options.case_name.empty() || options.case_name == "sequence") {
      record.cases.push_back(examine_sequence(task, kernel.entry, library, cases, examine_options));
    }
  }
  judge(record);
  if (!record.skipped_reason.empty() && record.verdict == Verdict::pass) {
    record.verdict = Verdict::skipped;
  }
  return record;
}

int run(const Program& program, const Options& options) {
  const Suite suite(program.tasks, program.manifest_path);
  std::vector<KernelRecord> records;
  ProgressLine progress;
  for (const KernelSource& kernel : select_kernels(suite, options)) {
    records.push_back(test(suite, kernel, options, progress));
    progress.finish(records.back().entry.name() + "." + records.back().name + ": " +
                    std::string(to_string(records.back().verdict)));
  }
  if (!options.json.empty()) write_json(options.json, record_file(records));
  std::printf("%s%s\n", rejections(records).c_str(), totals(records).c_str());
  return exit_code(records);
}

}  // namespace

Run add_test_command(const Program& program, CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--task", options->task, "Default: every task");
  command.add_option("--direction", options->direction, "Default: both")
      ->check(CLI::IsMember({"forward", "backward"}));
  command.add_option("--kernel", options->kernel,
                     "Name of a kernel of the build, or path of a source file; default: all");
  auto* case_option = command.add_option("--case", options->case_name,
                                         "One case by name, or 'sequence'; default: all");
  command.add_option("--configs", options->configs)
      ->check(CLI::IsMember({"single", "multi", "small"}))
      ->capture_default_str();
  command.add_option("--seeds", options->seeds, "Cases a config")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command.add_option("--nonce", options->nonce, "Keys the calls between: replays them exactly")
      ->needs(case_option);
  command.add_option("--json", options->json, "Write the records to this file");
  return [program, options] { return run(program, *options); };
}

}  // namespace robust_kbench
