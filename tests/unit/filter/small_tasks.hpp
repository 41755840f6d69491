#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "filter/filter_options.hpp"
#include "filter/filter_subject.hpp"
#include "process/temporary_directory.hpp"
#include "torch_task/imported_task.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Makes tasks of a few rows of 4 columns, each with its config files.
class SmallTasks {
 public:
  // y = forward(x, w), with x (rows, 4) and w (4).
  Task linked(const std::function<at::Tensor(const at::Tensor& x, const at::Tensor& w)>& forward,
              const Distribution& x = normal(), const Distribution& w = normal()) const {
    Task task;
    task.name = "small";
    task.defaults = {{"rows", std::int64_t{3}}};
    task.inputs = [x](const Params& params) {
      return std::vector<TensorSpec>{{"x", {params.integer("rows"), 4}, x}};
    };
    task.weights = [w](const Params&) { return std::vector<TensorSpec>{{"w", {4}, w}}; };
    task.forward = [forward](const Tensors& tensors, const Params&) {
      return forward(tensors["x"], tensors["w"]);
    };
    task.forward_contract.arguments = [](const Params&) {
      return std::vector<Argument>{tensor("x"), tensor("w")};
    };
    task.forward_contract.outputs = {{"y"}};
    task.directory = m_directory.path();
    write("config_forward.json", configs());
    return task;
  }

  // The task of a package with this graph of x (3, 4) and w (4, 4). `then` is a graph that computes
  // w from drawn values.
  Task imported(const nlohmann::json& nodes, std::size_t output, const nlohmann::json& shape,
                const nlohmann::json& x = {{"kind", "normal"}, {"a", 0.0}, {"b", 1.0}},
                const nlohmann::json& inapplicable = nlohmann::json::array(),
                const nlohmann::json& then = {}) const {
    using nlohmann::json;
    json w{{"name", "w"},
           {"shape", {4, 4}},
           {"dtype", "float32"},
           {"distribution", {{"kind", "normal"}, {"a", 0.0}, {"b", 1.0}}}};
    json graphs{{{"inputs", {"x", "w"}},
                 {"constants", json::array()},
                 {"nodes", nodes},
                 {"outputs", {output}}}};
    if (!then.is_null()) {
      w["distribution"]["then"] = 1;
      graphs.push_back(then);
    }
    const json point{
        {"params", {{"rows", 3}}},
        {"graph", 0},
        {"inputs",
         {{{"name", "x"}, {"shape", {3, 4}}, {"dtype", "float32"}, {"distribution", x}}, w}},
        {"weights", json::array()},
        {"outputs", {{{"name", "y"}, {"shape", shape}, {"dtype", "float32"}}}},
        {"arguments", {{{"tensor", "x"}}, {{"tensor", "w"}}}},
        {"flops", 100.0},
        {"bytes", 100.0},
        {"longest_sums", {16}}};
    const json package{
        {"format", "robust-kbench task"},
        {"version", 1},
        {"name", "small"},
        {"summary", "A small graph."},
        {"kind", "module"},
        {"made_with", {{"torch", "2.11.0"}, {"python", "3.11"}, {"importer", "0"}}},
        {"source", {{"file", "small.py"}, {"text", ""}, {"sha256", "0"}}},
        {"defaults", {{"rows", 3}}},
        {"configs", {{"forward", configs()}}},
        {"points", {point}},
        {"drawn", {{"forward", json::array()}}},
        {"graphs", graphs},
        {"domain", {{"inapplicable", inapplicable}, {"chooses_among_inputs", false}}}};
    write("small.task.json", package);
    write("config_forward.json", configs());
    Task task = imported_task(std::filesystem::path(m_directory.path()) / "small.task.json");
    task.directory = m_directory.path();
    return task;
  }

  // `filter` is one of the filters of a subject.
  template <typename Function>
  auto result_of(const Function& filter, const Task& task,
                 const FilterOptions& options = {}) const {
    const Manifest manifest;
    return filter(FilterSubject(manifest, task, Direction::forward, options));
  }

 private:
  static nlohmann::json configs() {
    using nlohmann::json;
    return {{"small_init_configs", {json::object()}},
            {"small_input_configs", {{{"rows", 3}}}},
            {"small_shared_configs", {json::object()}}};
  }

  void write(const std::string& name, const nlohmann::json& content) const {
    std::ofstream(std::filesystem::path(m_directory.path()) / name) << content.dump();
  }

  const TemporaryDirectory m_directory{"small_tasks"};
};

// A node of a graph: `args` as docs/packages.md writes them.
inline nlohmann::json node(const std::string& op, const nlohmann::json& args) {
  return {{"op", op}, {"args", args}, {"outputs", 1}};
}

// Tensor `number` as an argument.
inline nlohmann::json t(int number) {
  return {{"t", number}};
}

}  // namespace robust_kbench
