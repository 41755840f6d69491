#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "core/error.hpp"
#include "core/program.hpp"
#include "evaluate/scope.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include "tensor/task_registry.hpp"
#include "torch_task/package_files.hpp"
#include <robust_kbench/registry.hpp>

#include <ATen/ops/equal.h>
#include <fmt/format.h>

// Compares the float64 references of imported tasks with those of the build's tasks of the same
// name, bit for bit. Both get the tensors that the build's task draws, by their places among the
// kernel's arguments. The configs are those of the package that the build's task accepts, too.

namespace robust_kbench {
namespace {

std::vector<std::string> tensor_arguments(const Workload& workload) {
  std::vector<std::string> names;
  for (const Argument& argument : workload.arguments()) {
    if (argument.kind != Argument::Kind::tensor && argument.kind != Argument::Kind::tensor_tuple) {
      continue;
    }
    names.insert(names.end(), argument.names.begin(), argument.names.end());
  }
  return names;
}

// Throws UserError where the tasks take different tensors.
Tensors for_imported(const Workload& linked, const Tensors& tensors, const Workload& imported) {
  const std::vector<std::string> theirs = tensor_arguments(linked);
  const std::vector<std::string> ours = tensor_arguments(imported);
  if (theirs.size() != ours.size()) throw UserError("its kernels take other tensors");
  Tensors result = make_tensors(imported, 1);
  for (std::size_t i = 0; i < ours.size(); ++i) result.set(ours[i], tensors[theirs[i]]);
  return result;
}

// Parameters of the package's config that the build's task has, over its defaults.
Params params_of(const Task& linked, const Params& imported) {
  Params params = linked.defaults;
  for (const auto& [name, value] : imported.values()) {
    if (params.contains(name)) params.set(name, value);
  }
  return params;
}

double largest_difference(const at::Tensor& one, const at::Tensor& other) {
  return one.numel() == 0 ? 0 : (one - other).abs().max().item<double>();
}

class Comparison {
 public:
  Comparison(const Task& linked, const Task& imported, Direction direction)
      : m_linked(linked), m_imported(imported), m_direction(direction) {}

  // Prints a line of a table.
  void run(const std::vector<Config>& configs) {
    for (const Config& config : configs) {
      try {
        compare(config.params);
      } catch (const UserError& error) {
        m_problem = fmt::format("{}: {}", config.name, error.what());
      }
    }
    std::printf("| %s.%s | %d | %d of %d | %.2g | %s |\n", m_linked.name.c_str(),
                to_string(m_direction).data(), m_configs, m_equal, m_outputs, m_largest,
                m_problem.c_str());
  }

 private:
  void compare(const Params& params) {
    const Workload linked{m_linked, m_direction, params_of(m_linked, params)};
    const Workload imported{m_imported, m_direction, params};
    const Tensors tensors = make_tensors(linked, 1);
    const std::vector<at::Tensor> expected = reference(linked, tensors);
    const std::vector<at::Tensor> found =
        reference(imported, for_imported(linked, tensors, imported));
    if (expected.size() != found.size()) throw UserError("it has other outputs");
    ++m_configs;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ++m_outputs;
      if (found[i].sizes() != expected[i].sizes()) throw UserError("an output has another shape");
      if (at::equal(found[i], expected[i])) {
        ++m_equal;
      } else {
        m_largest = std::max(m_largest, largest_difference(found[i], expected[i]));
      }
    }
  }

  const Task& m_linked;
  const Task& m_imported;
  Direction m_direction;
  int m_configs = 0;
  int m_outputs = 0;
  int m_equal = 0;
  double m_largest = 0;
  std::string m_problem;
};

int run(int argc, char** argv) {
  std::vector<std::string> packages;
  CommandLine command_line("rkb_references",
                           "Whether imported tasks have the float64 references of the build's");
  command_line.add_option("packages", packages, "Packages called as a task of the build")
      .required();
  if (const std::optional<int> exit_code = command_line.parse(argc, argv)) return *exit_code;
  const TaskRegistry tasks(registered_tasks());
  const Manifest manifest = load_manifest(default_manifest());
  std::printf(
      "| entry | configs | equal outputs | largest difference | |\n|---|---|---|---|---|\n");
  for (const std::string& package : packages) {
    const Task imported = load_imported_task(package);
    const Task& linked = tasks.find(imported.name);
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      if (direction == Direction::backward &&
          (!imported.backward_contract || !linked.backward_contract)) {
        continue;
      }
      Comparison(linked, imported, direction)
          .run(configs_of(manifest, imported, direction, {ConfigSet::small}));
    }
  }
  return ExitCode::pass;
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run_program("rkb_references",
                                    [&] { return robust_kbench::run(argc, argv); });
}
