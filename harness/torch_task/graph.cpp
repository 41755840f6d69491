#include "torch_task/graph.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "torch_task/graph_constants.hpp"
#include "torch_task/graph_kinks.hpp"
#include "torch_task/graph_node.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

std::size_t checked(std::size_t number, std::size_t known, const char* what) {
  if (number < known) return number;
  throw UserError(fmt::format("{} is tensor {}, and there are only {}", what, number, known));
}

CallSetting setting_of(const std::vector<at::Tensor>& inputs, at::ScalarType declared) {
  CallSetting setting;
  for (const at::Tensor& input : inputs) {
    if (!input.defined()) continue;
    setting.device = input.device();
    if (!input.is_floating_point()) continue;
    if (input.scalar_type() != declared) setting.floating = input.scalar_type();
    break;
  }
  return setting;
}

}  // namespace

Graph::Graph(const json& json) {
  m_inputs = json.at("inputs").get<std::vector<std::string>>();
  m_constants = std::make_shared<GraphConstants>(json.at("constants"));
  std::size_t known = given();
  for (const auto& node : json.at("nodes")) {
    m_nodes.push_back(std::make_shared<GraphNode>(read_node(node, m_nodes.size(), given(), known)));
    known += m_nodes.back()->outputs;
  }
  for (const auto& output : json.at("outputs")) {
    m_outputs.push_back(checked(output.get<std::size_t>(), known, "an output"));
  }
  find_last_uses();
}

Graph Graph::without(std::size_t node) const {
  const std::vector<std::size_t> taken = m_nodes.at(node)->taken();
  if (taken.empty()) {
    throw UserError(fmt::format("node {} ({}) takes no tensor that could stand for its result",
                                node, m_nodes[node]->name));
  }
  std::size_t first = given();
  for (std::size_t i = 0; i < node; ++i) first += m_nodes[i]->outputs;
  const auto replaced = [&](std::size_t number) {
    const bool is_result = number >= first && number < first + m_nodes[node]->outputs;
    return is_result ? taken.front() : number;
  };
  Graph graph = *this;
  for (std::size_t i = node + 1; i < graph.m_nodes.size(); ++i) {
    auto changed = std::make_shared<GraphNode>(*graph.m_nodes[i]);
    for (GraphNode::Passed& passed : changed->passed) {
      for (auto& number : passed.tensors) {
        if (number) number = replaced(*number);
      }
    }
    graph.m_nodes[i] = std::move(changed);
  }
  for (std::size_t& output : graph.m_outputs) output = replaced(output);
  graph.m_skipped = node;
  graph.find_last_uses();
  return graph;
}

std::vector<std::string> Graph::operators() const {
  std::vector<std::string> names;
  for (const auto& node : m_nodes) names.push_back(node->name);
  return names;
}

void Graph::find_last_uses() {
  std::vector<std::optional<std::size_t>> last;
  last.resize(given());
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    for (const std::size_t number : m_nodes[i]->taken()) last[number] = i;
    last.resize(last.size() + m_nodes[i]->outputs, i);
  }
  for (const std::size_t output : m_outputs) last[output].reset();
  m_last_used.assign(m_nodes.size(), {});
  for (std::size_t number = 0; number < last.size(); ++number) {
    if (last[number]) m_last_used[*last[number]].push_back(number);
  }
}

std::size_t Graph::given() const {
  return m_inputs.size() + m_constants->size();
}

std::vector<at::Tensor> Graph::run(const std::vector<at::Tensor>& inputs,
                                   at::ScalarType declared) const {
  return run_watched(inputs, declared, nullptr);
}

std::vector<at::Tensor> Graph::run_watched(const std::vector<at::Tensor>& inputs,
                                           at::ScalarType declared, const Watch& watch) const {
  const CallSetting setting = setting_of(inputs, declared);
  std::vector<at::Tensor> tensors = inputs;
  for (at::Tensor& constant : m_constants->of(setting)) tensors.push_back(std::move(constant));
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    if (i == m_skipped) {
      tensors.resize(tensors.size() + m_nodes[i]->outputs);
      continue;
    }
    std::vector<at::Tensor> results = m_nodes[i]->run(tensors, setting);
    if (watch) watch(*m_nodes[i], tensors, results);
    for (at::Tensor& result : results) tensors.push_back(std::move(result));
    // This frees memory as early as eager mode does.
    for (const std::size_t number : m_last_used[i]) tensors[number].reset();
  }
  std::vector<at::Tensor> outputs;
  for (const std::size_t output : m_outputs) outputs.push_back(tensors[output]);
  return outputs;
}

std::vector<at::Tensor> Graph::near_kinks(const std::vector<at::Tensor>& inputs,
                                          at::ScalarType declared) const {
  const CallSetting setting = setting_of(inputs, declared);
  const auto with_constants = [&](std::vector<at::Tensor> tensors, const CallSetting& of) {
    for (at::Tensor& constant : m_constants->of(of)) tensors.push_back(std::move(constant));
    return tensors;
  };
  std::vector<at::Tensor> in_float32;
  if (setting.floating == at::kDouble) {
    for (const at::Tensor& input : inputs) {
      const bool converts = input.defined() && input.is_floating_point();
      in_float32.push_back(converts ? input.to(at::kFloat) : input);
    }
    in_float32 = with_constants(std::move(in_float32), {.device = setting.device});
  }
  GraphKinks kinks(with_constants(inputs, setting), std::move(in_float32));
  for (const auto& node : m_nodes) kinks.add(*node, setting);
  std::vector<at::Tensor> near;
  for (const std::size_t output : m_outputs) near.push_back(kinks.near_kink(output));
  return near;
}

bool Graph::has_kinks() const {
  return std::ranges::any_of(m_nodes, [](const auto& node) { return decides(*node); });
}

}  // namespace robust_kbench
