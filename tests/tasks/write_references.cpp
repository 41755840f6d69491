#include <fstream>
#include <iostream>

#include "entries.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include "tensor_writer.hpp"

#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

// Writes what reference_py_test.py repeats in Python. For each small config of each entry these are
// the kernel's arguments and the float32 results of task.cpp. Tensors are raw bytes in one file.
namespace robust_kbench {
namespace {

using nlohmann::json;

json describe(TensorWriter& writer, const Argument& argument, const Config& config,
              const Tensors& tensors) {
  switch (argument.kind) {
    case Argument::Kind::tensor:
      return {{"tensor", writer.write(tensors[argument.names[0]])}};
    case Argument::Kind::tensor_tuple: {
      json all = json::array();
      for (const std::string& name : argument.names) {
        all.push_back(writer.write(tensors[name]));
      }
      return {{"tuple", all}};
    }
    case Argument::Kind::parameter:
    case Argument::Kind::literal:
      return std::visit(
          [](const auto& value) {
            return json{{"value", value}};
          },
          value_of(argument, config.params));
    case Argument::Kind::integers:
      return {{"value", argument.integers}};
  }
  return nullptr;
}

json case_of(TensorWriter& writer, const TaskEntry& entry, const Config& config) {
  const Workload workload{entry.task, entry.direction, config.params};
  const Tensors tensors = make_tensors(workload, 1);
  json arguments = json::array();
  for (const Argument& argument : workload.arguments()) {
    arguments.push_back(describe(writer, argument, config, tensors));
  }
  json results = json::array();
  for (const at::Tensor& result : eager(workload, tensors)) {
    results.push_back(writer.write(result));
  }
  return {{"name", entry.name() + " " + config.name},
          {"task", entry.task.name},
          {"direction", to_string(entry.direction)},
          {"arguments", arguments},
          {"results", results}};
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  using namespace robust_kbench;
  if (argc != 2) {
    std::cerr << "usage: write_references DIRECTORY\n";
    return 2;
  }
  at::set_num_threads(1);  // sums are split by thread
  const std::filesystem::path directory = argv[1];
  TensorWriter writer(directory);
  nlohmann::json cases = nlohmann::json::array();
  for (const TaskEntry& entry : task_entries()) {
    for (const Config& config : entry.configs(ConfigSet::small)) {
      cases.push_back(case_of(writer, entry, config));
    }
  }
  std::ofstream(directory / "cases.json") << cases;
  return 0;
}
