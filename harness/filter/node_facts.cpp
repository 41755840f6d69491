#include "filter/node_facts.hpp"

#include <algorithm>
#include <string_view>

#include "torch_task/operators.hpp"

namespace robust_kbench {
namespace {

// Relative to the largest element of a node's tensors. Float64 errs by 1e-16 in an operation.
constexpr double same = 1e-9;

double largest_magnitude(const at::Tensor& tensor) {
  return tensor.numel() == 0 ? 0 : tensor.to(at::kDouble).abs().max().item<double>();
}

bool equal_elements(const at::Tensor& a, const at::Tensor& b, double scale) {
  if (a.sizes() != b.sizes()) return false;
  return a.numel() == 0 ||
         largest_magnitude(a.to(at::kDouble).sub(b.to(at::kDouble))) <= same * scale;
}

bool repeats(const std::vector<at::Tensor>& taken, const std::vector<at::Tensor>& results) {
  if (taken.empty() || results.size() != 1 || !taken.front().defined()) return false;
  const at::Tensor& given = taken.front();
  return given.numel() == results.front().numel() &&
         equal_elements(given.reshape({-1}), results.front().reshape({-1}),
                        largest_magnitude(given));
}

bool is_scaling(const GraphNode& node, const NodeFacts& facts) {
  if (facts.taken.size() != 1) return false;
  const std::string_view base = without_overload(node.name);
  const bool scales = base == "aten::mul" || base == "aten::div" || base == "aten::neg";
  return scales || facts.work.bytes == 0;
}

NodeFacts first_facts(const GraphNode& node, const std::vector<at::Tensor>& taken,
                      const std::vector<at::Tensor>& results, std::size_t first_result) {
  NodeFacts facts{.name = node.name,
                  .taken = node.taken(),
                  .product = product_kind(node),
                  .work = work_of(node, taken, results)};
  if (facts.product != ProductKind::none) facts.factors = factors_of(node);
  for (std::size_t i = 0; i < results.size(); ++i) facts.results.push_back(first_result + i);
  for (const at::Tensor& result : results) {
    facts.result_bytes += static_cast<double>(result.numel() * result.element_size());
    facts.result_elements += static_cast<double>(result.numel());
  }
  for (const at::Tensor& tensor : taken) {
    facts.taken_bytes.push_back(
        tensor.defined() ? static_cast<double>(tensor.numel() * tensor.element_size()) : 0);
  }
  facts.is_linear_scaling = is_scaling(node, facts);
  const std::string_view base = without_overload(node.name);
  facts.is_sum = base == "aten::sum" || base == "aten::mean";
  // Operators that only change the layout in memory do no algebra.
  facts.repeats_tensor = facts.work.bytes > 0 && kind_of_operator(node.name) != OperatorKind::shape;
  return facts;
}

void look_at_factors(NodeFacts& facts, const std::vector<at::Tensor>& taken) {
  if (facts.product != ProductKind::matrices) {
    facts.left = facts.right = MatrixForm::dense;
    return;
  }
  const bool takes_transposed = without_overload(facts.name) == "aten::linear";
  const MatrixForm right = form_of(taken.at(facts.factors.right));
  facts.left = common(facts.left, form_of(taken.at(facts.factors.left)));
  facts.right = common(facts.right, takes_transposed ? transposed(right) : right);
}

}  // namespace

void WatchedGraph::call(const std::vector<at::Tensor>& inputs, at::ScalarType declared,
                        bool is_typical) {
  std::size_t number = 0;
  m_graph.run_watched(inputs, declared,
                      [&](const GraphNode& node, const std::vector<at::Tensor>& tensors,
                          const std::vector<at::Tensor>& results) {
                        watch(number++, node, tensors, results, is_typical);
                      });
}

void WatchedGraph::keep_what_holds_in(const WatchedGraph& other) {
  if (!std::ranges::equal(m_nodes, other.m_nodes, {}, &NodeFacts::name, &NodeFacts::name)) return;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const NodeFacts& there = other.m_nodes[i];
    m_nodes[i].is_constant = m_nodes[i].is_constant && there.is_constant;
    m_nodes[i].repeats_tensor = m_nodes[i].repeats_tensor && there.repeats_tensor;
    m_nodes[i].left = common(m_nodes[i].left, there.left);
    m_nodes[i].right = common(m_nodes[i].right, there.right);
  }
}

void WatchedGraph::watch(std::size_t number, const GraphNode& node,
                         const std::vector<at::Tensor>& tensors,
                         const std::vector<at::Tensor>& results, bool is_typical) {
  std::vector<at::Tensor> taken;
  double scale = 0;
  for (const std::size_t i : node.taken()) {
    taken.push_back(tensors[i]);
    if (taken.back().defined()) scale = std::max(scale, largest_magnitude(taken.back()));
  }
  if (number == m_nodes.size()) {
    m_nodes.push_back(first_facts(node, taken, results, tensors.size()));
    m_first_results.emplace_back();
    for (const at::Tensor& result : results) m_first_results.back().push_back(result.clone());
  }
  NodeFacts& facts = m_nodes[number];
  facts.repeats_tensor = facts.repeats_tensor && repeats(taken, results);
  for (std::size_t i = 0; i < results.size() && facts.is_constant; ++i) {
    facts.is_constant = equal_elements(results[i], m_first_results[number][i], scale);
  }
  if (is_typical) look_at_factors(facts, taken);
}

}  // namespace robust_kbench
