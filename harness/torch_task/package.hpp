#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "torch_task/graph.hpp"
#include <robust_kbench/task.hpp>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// One config of an imported task.
struct PackagePoint {
  Params params;
  std::size_t graph = 0;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> weights;
  std::vector<std::string> outputs;
  std::vector<at::ScalarType> output_dtypes;
  std::vector<std::vector<std::int64_t>> output_shapes;
  std::vector<Argument> arguments;
  std::vector<Argument> backward_arguments;
  Cost cost;
  Cost backward_cost;
  std::vector<std::int64_t> longest_sums;
  std::vector<std::int64_t> backward_longest_sums;
  Distribution grad_output;  // of a backward's incoming gradients

  // The dtype that the module computes in: that of its first floating tensor.
  [[nodiscard]] at::ScalarType dtype() const;
};

struct PackageSource {
  std::string file;  // a name without directory
  std::string text;
};

// An imported task as its file holds it (docs/packages.md).
struct Package {
  std::string name;
  std::string summary;
  std::string kind;
  std::string torch;                   // the version that made it
  std::string sha256;                  // of the file
  std::vector<PackageSource> sources;  // the imported file first
  bool out_arguments = false;          // outputs are the last arguments, and nothing is returned
  Params defaults;
  nlohmann::json forward_configs;   // as a config file
  nlohmann::json backward_configs;  // null where there is no backward
  std::vector<std::string> backward_outputs;
  std::vector<PackagePoint> points;
  std::vector<Params> drawn;
  std::vector<Params> large;  // near the largest listed config
  std::vector<Graph> graphs;
  std::optional<Domain> domain;  // none: the import did not try its probes
  std::vector<std::string> notes;

  // Throws a UserError that lists some of the known configs if none has these parameters.
  [[nodiscard]] const PackagePoint& point(const Params& params) const;
};

// Throws UserError if the file is missing, no package, of a later version, or has content that no
// package may have.
Package read_package(const std::filesystem::path& file);

// The version of torch that made the package, read without looking at its graphs. Throws as
// read_package() does.
std::string torch_of_package(const std::filesystem::path& file);

}  // namespace robust_kbench
