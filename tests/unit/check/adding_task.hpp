#pragma once

#include <string>
#include <vector>

#include "core/case.hpp"
#include <robust_kbench/task.hpp>

#include <ATen/ops/add.h>

namespace robust_kbench {

// The task that adding_worker implements.
inline Task adding_task() {
  Task task;
  task.name = "adding";
  task.defaults = {{"rows", std::int64_t{4}}};
  task.weights = [](const Params&) { return std::vector<TensorSpec>{{.name = "w", .shape = {5}}}; };
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {params.integer("rows"), 5}}};
  };
  task.forward = [](const Tensors& tensors, const Params&) {
    return at::add(tensors["x"], tensors["w"]);
  };
  task.forward_contract.arguments = [](const Params&) {
    return std::vector<Argument>{tensor("x"), tensor("w")};
  };
  task.forward_contract.outputs = {{.name = "y"}};
  return task;
}

// The same task with the measured error of float32 as its limit.
inline Task measured_adding_task() {
  Task task = adding_task();
  task.forward_contract.longest_sums = [](const Params&) { return std::vector<std::int64_t>{1}; };
  return task;
}

inline std::vector<Case> adding_cases(std::uint64_t seeds, std::int64_t configs = 1) {
  std::vector<Case> cases;
  for (std::int64_t rows = 1; rows <= configs; ++rows) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      Config config{.name = "small/rows_" + std::to_string(rows), .params = {{"rows", rows}}};
      cases.push_back({.config = std::move(config), .seed = seed});
    }
  }
  return cases;
}

}  // namespace robust_kbench
