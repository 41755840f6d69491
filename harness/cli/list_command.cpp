#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/shown_path.hpp"
#include "cli/task_listing.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/record.hpp"
#include "device/cuda_driver.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"
#include "evaluate/test_plan.hpp"
#include "report/table.hpp"
#include "tensor/size_range_json.hpp"
#include "tensor/task_registry.hpp"
#include "torch_task/package_facts.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// CTest's limit is above the sum of the broker's own limits on one case, as the last resort.
constexpr int case_timeout_seconds = 120;
constexpr int sequence_timeout_seconds = 600;

int timeout_of(const PlannedTest& test) {
  return test.kind == PlannedTest::Kind::sequence ? sequence_timeout_seconds : case_timeout_seconds;
}

std::vector<std::string> labels_of(const PlannedTest& test) {
  const KernelSource& kernel = *test.kernel;
  return {"robust",
          kernel.device == Device::cuda ? "gpu" : "cpu",
          "task:" + kernel.entry.task,
          "direction:" + std::string(to_string(kernel.entry.direction)),
          "kernel:" + kernel.name,
          "kind:correct"};
}

// Returns the names of the probes that apply to a task in at least one direction.
std::vector<std::string> probes_of(const Task& task) {
  std::vector<std::string> names;
  if (!task.domain) return names;
  for (const Probe probe : all_probes) {
    const auto& left_out = task.domain->inapplicable;
    if (std::ranges::none_of(left_out, [&](const auto& other) {
          return other.probe == probe && !other.direction;
        })) {
      names.emplace_back(to_string(probe));
    }
  }
  return names;
}

// Says what decides how far a kernel of the task may err.
std::string tolerance_of(const Task& task) {
  const bool forward = task.forward_contract.longest_sums != nullptr;
  const bool backward = task.backward_contract && task.backward_contract->longest_sums;
  if (forward && (backward || !task.backward_contract)) return "measured";
  return forward || backward ? "measured in one direction" : "hand-set";
}

// Returns the names of all configs of each direction that has a config file. Throws UserError for a
// file that a test could not read.
json configs_json(const Suite& suite, const Task& task) {
  json names = json::object();
  for (const Direction direction : directions_of(suite, task)) {
    json& of_direction = names[std::string(to_string(direction))] = json::array();
    for (const Config& config : all_configs(suite, task, direction)) {
      of_direction.push_back(config.name);
    }
  }
  return names;
}

// Lists the packages of `rkb import` that can be read, and why others cannot.
struct ImportedPackages {
  std::vector<std::pair<std::string, PackageFacts>> readable;
  std::string unreadable;
};

ImportedPackages packages_of_user() {
  ImportedPackages packages;
  for (const std::filesystem::path& file : imported_packages()) {
    try {
      packages.readable.emplace_back(file, package_facts(file));
    } catch (const UserError& error) {
      packages.unreadable += std::string(error.what()) + "\n";
    }
  }
  return packages;
}

json imported_json() {
  json imported = json::array();
  for (const auto& [file, facts] : packages_of_user().readable) {
    imported.push_back({{"name", facts.name},
                        {"summary", facts.summary},
                        {"directions", facts.directions},
                        {"kind", facts.kind},
                        {"source", facts.source},
                        {"package", file}});
  }
  return imported;
}

// The listings below are of the task named `only`, or of all where it is empty.
bool is_left_out(const std::string& task, const std::string& only) {
  return !only.empty() && task != only;
}

json tasks_json(const Suite& suite, const std::string& only) {
  json tasks = json::array();
  for (const Task* task : suite.tasks().tasks()) {
    if (is_left_out(task->name, only)) continue;
    json directions = json::array({"forward"});
    if (task->backward_contract) directions.push_back("backward");
    tasks.push_back({{"name", task->name},
                     {"summary", task->summary},
                     {"directions", directions},
                     {"configs", configs_json(suite, *task)},
                     {"package", task->package.empty() ? json() : json(task->package)},
                     {"shapes", task->shapes ? json(task->shapes->sizes) : json()},
                     {"probes", probes_of(*task)}});
  }
  return tasks;
}

json kernels_json(const Manifest& manifest, const std::string& only) {
  json kernels = json::array();
  for (const KernelSource& kernel : manifest.kernels) {
    if (is_left_out(kernel.entry.task, only)) continue;
    kernels.push_back({{"task", kernel.entry.task},
                       {"direction", to_string(kernel.entry.direction)},
                       {"name", kernel.name},
                       {"device", to_string(kernel.device)},
                       {"path", kernel.sources.front()},
                       {"skipped_reason", skip_reason(kernel, manifest.toolchain)}});
  }
  return kernels;
}

json tests_json(const Suite& suite, const std::string& only) {
  json tests = json::array();
  for (const PlannedTest& test : plan_tests(suite.manifest(), suite.tasks())) {
    if (is_left_out(test.kernel->entry.task, only)) continue;
    tests.push_back({{"name", test.name},
                     {"task", test.kernel->entry.task},
                     {"direction", to_string(test.kernel->entry.direction)},
                     {"kernel", test.kernel->name},
                     {"labels", labels_of(test)},
                     {"timeout_seconds", timeout_of(test)}});
  }
  return tests;
}

json to_json(const Suite& suite, const std::string& only) {
  return {{"schema_version", record_schema_version},
          {"tasks", tasks_json(suite, only)},
          {"imported", only.empty() ? imported_json() : json::array()},
          {"kernels", kernels_json(suite.manifest(), only)},
          {"tests", tests_json(suite, only)}};
}

// CTest may run this many tests on one GPU at a time. A case takes some hundred megabytes there,
// and most of its time is the host's.
constexpr int slots_per_gpu = 8;

// Declares GPUs as CTest resources, so that CTest tells each test which GPU to use. Writes no file
// where there is no GPU.
void write_resources(const std::string& path) {
  json gpus = json::array();
  for (int i = 0; i < cuda_facts().device_count; ++i) {
    gpus.push_back({{"id", std::to_string(i)}, {"slots", slots_per_gpu}});
  }
  if (gpus.empty()) {
    std::filesystem::remove(path);
    return;
  }
  OutputFile(path).write(
      json{{"version", {{"major", 1}, {"minor", 0}}}, {"local", json::array({{{"gpus", gpus}}})}});
}

// Writes commands for CTest to include. Test names hold no character that CMake would expand. The
// tests share a fork server, which CTest starts before them and ends after them.
void write_ctest(const Suite& suite, const std::string& path, const std::string& program,
                 const std::string& fork_client) {
  std::string text;
  for (const PlannedTest& test : plan_tests(suite.manifest(), suite.tasks())) {
    const bool uses_gpu =
        test.kernel->device == Device::cuda && test.kind != PlannedTest::Kind::skipped;
    text += fmt::format(
        "add_test([==[{0}]==] [==[{1}]==] [==[{2}]==] [==[--manifest={3}]==] "
        "[==[--gtest_filter={0}]==])\n"
        "set_tests_properties([==[{0}]==] PROPERTIES LABELS [==[{4}]==] TIMEOUT {5} "
        "SKIP_RETURN_CODE {6} FIXTURES_REQUIRED rkb_cases{7})\n",
        test.name, fork_client, program, suite.manifest().path, fmt::join(labels_of(test), ";"),
        timeout_of(test), ExitCode::skipped, uses_gpu ? " RESOURCE_GROUPS gpus:1" : "");
  }
  text += fmt::format(
      "add_test(rkb_cases.start [==[{0}]==] --serve)\n"
      "set_tests_properties(rkb_cases.start PROPERTIES FIXTURES_SETUP rkb_cases)\n"
      "add_test(rkb_cases.end [==[{1}]==] --end [==[{0}]==])\n"
      "set_tests_properties(rkb_cases.end PROPERTIES FIXTURES_CLEANUP rkb_cases)\n",
      program, fork_client);
  OutputFile(path).write(text);
}

std::string imported_listing() {
  const ImportedPackages packages = packages_of_user();
  if (packages.readable.empty()) return packages.unreadable;
  Table table({"imported task", "directions", "configs", "kind", "from", "package"});
  for (const auto& [file, facts] : packages.readable) {
    table.add({facts.name, fmt::format("{}", fmt::join(facts.directions, " ")),
               std::to_string(facts.points), facts.kind, facts.source, shown_path(file)});
  }
  return "\n" + table.console() + packages.unreadable;
}

void print_list(const Suite& suite) {
  Table tasks({"task", "directions", "shapes", "probes", "tolerance", "what"});
  for (const Task* task : suite.tasks().tasks()) {
    tasks.add({task->name, task->backward_contract ? "forward backward" : "forward",
               task->shapes ? "drawn" : "fixed",
               task->domain ? std::to_string(probes_of(*task).size()) : "none", tolerance_of(*task),
               task->summary});
  }
  // The tasks come at once. The kernels' cases are counted by drawing configs, which takes longer.
  std::printf("%s\n", tasks.console().c_str());
  std::fflush(stdout);
  std::printf("%s%s", kernels_listing(suite, nullptr).c_str(), imported_listing().c_str());
}

}  // namespace

Action add_list_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string task, json, ctest, program, fork_client, resources;
  };
  const auto options = std::make_shared<Options>();
  const Option json = add_common_option(command, "--json", options->json);
  const Option ctest =
      command.add_option("--ctest", options->ctest, "Write CTest commands to this file")
          .excludes(json);
  command.add_option("TASK", options->task, "Its configs, cases and kernels; default: all tasks");
  command.add_option("--cases-program", options->program, "What CTest runs for each test")
      .needs(ctest);
  command
      .add_option("--fork-client", options->fork_client,
                  "The program rkb_fork_client, by which CTest runs that")
      .needs(ctest);
  command
      .add_option("--resources", options->resources,
                  "Write CTest's resource specification to this file, where there is a GPU")
      .needs(ctest);
  return [program, options] {
    const Suite suite(program.tasks, program.manifest_path);
    // The person may have named an imported task by its package.
    if (options->task.empty()) {
      for (const TaskDirectory& task : suite.manifest().tasks) (void)suite.task(task.name);
    } else {
      options->task = suite.task(options->task).name;
    }
    if (!options->ctest.empty()) {
      write_ctest(suite, options->ctest, options->program, options->fork_client);
      if (!options->resources.empty()) write_resources(options->resources);
    } else if (!options->json.empty()) {
      OutputFile(options->json).write(to_json(suite, options->task));
    } else if (!options->task.empty()) {
      std::printf("%s", task_listing(suite, suite.task(options->task)).c_str());
    } else {
      print_list(suite);
    }
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
