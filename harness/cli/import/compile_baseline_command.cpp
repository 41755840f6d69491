#include <algorithm>
#include <cstdio>

#include "bench/packages.hpp"
#include "cli/command.hpp"
#include "cli/import/baseline_packages.hpp"
#include "command/common_options.hpp"
#include "command/scope_options.hpp"
#include "core/cancelled.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "device/cuda_driver.hpp"
#include "evaluate/suite.hpp"
#include "evaluate/test_plan.hpp"
#include "process/interrupt.hpp"
#include "report/progress_display.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using State = BaselinePackage::State;

struct CompileBaselineOptions {
  std::vector<std::string> tasks, own_configs;
  std::string direction, configs, device = "cpu";
  double seconds = 600;
  std::string json;
};

const Task& imported(const Suite& suite, const std::string& name) {
  const Task& task = suite.task(name);
  if (!task.package.empty()) return task;
  throw UserError("task '" + name +
                  "' is no imported one; the target compile_packages of RobustKBench's own build "
                  "makes its packages");
}

std::vector<Direction> directions_of(const Task& task, const std::string& asked) {
  if (asked.empty()) {
    return task.backward_contract ? std::vector{Direction::forward, Direction::backward}
                                  : std::vector{Direction::forward};
  }
  const Direction direction = parse_direction(asked);
  (void)contract(task, direction);
  return {direction};
}

// Lists one package for each set of parameters that is timed. Several configs may share one.
std::vector<BaselinePackage> packages_of(const Suite& suite, const Task& task, Direction direction,
                                         const CompileBaselineOptions& options) {
  const Device device = parse_device(options.device);
  Scope scope;
  if (!options.configs.empty()) scope.sets = {parse_config_set(options.configs)};
  scope.configs = own_configs_of(task, direction, options.own_configs);
  std::vector<BaselinePackage> packages;
  for (Config& config : timed_configs(suite.manifest(), task, direction, device, scope)) {
    const std::filesystem::path path =
        package_path(suite.manifest(), task, direction, device, config);
    if (std::ranges::find(packages, path, &BaselinePackage::path) != packages.end()) continue;
    packages.push_back(
        {.task = &task, .direction = direction, .config = std::move(config), .path = path});
  }
  return packages;
}

void tell(const BaselinePackage& package) {
  const std::string name =
      Entry{package.task->name, package.direction}.name() + "." + package.config.name;
  if (package.state == State::refused) {
    fmt::print("{} is refused: {}; {}\n", name, package.reason, package.remedy);
  } else if (package.state == State::made) {
    fmt::print("{}: {:.1f} s\n", name, package.seconds);
  }
  std::fflush(stdout);
}

// Each package takes up to a minute.
void make_with_progress(const BaselinePlace& place, std::vector<BaselinePackage>& packages,
                        const std::stop_token& stop) {
  ProgressDisplay progress;
  std::size_t ended = 0;
  const std::string item = "torch.compile";
  const auto follow = [&] {
    progress.update(item, fmt::format("{} of {}", ended, counted(packages.size(), "package")),
                    static_cast<double>(ended) / static_cast<double>(packages.size()));
  };
  if (!packages.empty()) follow();
  const auto told = [&](const BaselinePackage& package) {
    progress.end(item);
    tell(package);
    if (++ended < packages.size()) follow();
  };
  make_baseline_packages(place, packages, told, stop);
}

nlohmann::json packages_json(const std::vector<BaselinePackage>& packages) {
  nlohmann::json rows = nlohmann::json::array();
  for (const BaselinePackage& package : packages) {
    const char* const state = package.state == State::made      ? "made"
                              : package.state == State::refused ? "refused"
                                                                : "unchanged";
    rows.push_back({{"task", package.task->name},
                    {"direction", to_string(package.direction)},
                    {"config", package.config.name},
                    {"package", package.path.string()},
                    {"state", state},
                    {"seconds", package.seconds},
                    {"reason", package.reason},
                    {"remedy", package.remedy}});
  }
  return {{"packages", rows}};
}

int run_compile_baseline(const Program& program, const ImporterProgram& importer,
                         const CompileBaselineOptions& options) {
  InterruptStop interrupt;  // before any other thread starts
  const OutputFile json(options.json);
  const Suite suite(program.tasks, program.manifest_path);
  const Device device = parse_device(options.device);
  if (device == Device::cuda && !cuda_facts().missing.empty()) {
    throw UserError("--device cuda: " + cuda_facts().missing +
                    "; make packages for a GPU on the machine that has it");
  }
  std::vector<BaselinePackage> packages;
  for (const std::string& name : options.tasks) {
    const Task& task = imported(suite, name);
    for (const Direction direction : directions_of(task, options.direction)) {
      std::ranges::move(packages_of(suite, task, direction, options), std::back_inserter(packages));
    }
  }
  try {
    make_with_progress({importer, suite.manifest().toolchain, device, options.seconds}, packages,
                       interrupt.token());
  } catch (const Cancelled&) {
    return 128 + interrupt.signal();
  }
  json.write(packages_json(packages));
  const auto count = [&](State state) {
    return std::ranges::count(packages, state, &BaselinePackage::state);
  };
  fmt::print("{} packages made, {} kept, {} refused\n", count(State::made), count(State::unchanged),
             count(State::refused));
  return count(State::refused) > 0 ? ExitCode::rejected : ExitCode::pass;
}

}  // namespace

Action add_compile_baseline_command(const Program& program, const ImporterProgram& importer,
                                    CommandLine& command) {
  const auto options = std::make_shared<CompileBaselineOptions>();
  add_common_option(command, "--direction", options->direction, "default: all that a task has");
  add_common_option(command, "--device", options->device, "here what the packages are for")
      .capture_default_str();
  add_configs_option(command, options->configs, "small for the CPU, single for CUDA");
  add_own_configs_option(command, options->own_configs);
  add_common_option(command, "--json", options->json);
  add_common_option(command, "--timeout", options->seconds).capture_default_str();
  command.add_option("TASK", options->tasks, "Imported tasks, by their names or their packages")
      .required();
  return
      [program, &importer, options] { return run_compile_baseline(program, importer, *options); };
}

}  // namespace robust_kbench
