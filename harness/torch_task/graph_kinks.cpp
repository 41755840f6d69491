#include "torch_task/graph_kinks.hpp"

#include <string_view>
#include <utility>

#include "torch_task/operators.hpp"
#include <robust_kbench/kink.hpp>

#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>

namespace robust_kbench {
namespace {

std::optional<double> number(const GraphNode::Passed& passed) {
  if (passed.kind != GraphNode::Passed::Kind::value || !passed.value.isScalar())
    return std::nullopt;
  return passed.value.toScalar().toDouble();
}

// The places of a one-element function's kinks.
std::vector<double> kinks_of(const GraphNode& node) {
  const std::string_view name = base_name_of_operator(node.name);
  for (const std::string_view at_zero :
       {"relu", "leaky_relu", "abs", "prelu", "sign", "elu", "celu", "selu"}) {
    if (name == at_zero) return {0.0};
  }
  if (name == "relu6") return {0.0, 6.0};
  if (name == "hardswish" || name == "hardsigmoid") return {-3.0, 3.0};
  std::vector<double> limits;
  if (name == "hardtanh" || name == "clamp" || name == "clip" || name == "clamp_min" ||
      name == "clamp_max" || name == "threshold" || name == "hardshrink" || name == "softshrink") {
    for (std::size_t i = 1; i < node.passed.size(); ++i) {
      if (const auto limit = number(node.passed[i])) limits.push_back(*limit);
    }
  }
  if (name == "threshold" && limits.size() == 2) limits.pop_back();  // the value put in place
  if (name.ends_with("shrink") && !limits.empty()) limits.push_back(-limits.front());
  return limits;
}

bool is_list(const GraphNode::Passed& passed, std::int64_t value) {
  if (!passed.value.isIntList()) return false;
  for (const std::int64_t element : passed.value.toIntVector()) {
    if (element != value) return false;
  }
  return true;
}

// Whether robust_kbench/kink.hpp knows ties of the node's windows: 2 x 2 with a stride of 2, no
// padding.
bool pools_pairs(const GraphNode& node) {
  return base_name_of_operator(node.name) == "max_pool2d" && node.passed.size() >= 4 &&
         is_list(node.passed[1], 2) && is_list(node.passed[2], 2) && is_list(node.passed[3], 0);
}

at::Tensor either(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined()) return b;
  return b.defined() ? a.logical_or(b) : a;
}

}  // namespace

bool decides(const GraphNode& node) {
  return pools_pairs(node) || !kinks_of(node).empty();
}

GraphKinks::GraphKinks(std::vector<at::Tensor> tensors, std::vector<at::Tensor> in_float32)
    : m_given(tensors.size()),
      m_tensors(std::move(tensors)),
      m_in_float32(std::move(in_float32)),
      m_near(m_tensors.size()) {}

void GraphKinks::add(const GraphNode& node, const CallSetting& setting) {
  // An in-place form changes the elements that it decides about, so they are looked at before.
  const at::Tensor decided = decided_by(node);
  std::vector<at::Tensor> results = node.run(m_tensors, setting);
  if (!m_in_float32.empty()) {
    for (at::Tensor& result : node.run(m_in_float32, {.device = setting.device})) {
      m_in_float32.push_back(std::move(result));
    }
  }
  std::vector<at::Tensor> near;
  for (const at::Tensor& result : results) {
    const bool fits = decided.defined() && decided.sizes() == result.sizes();
    near.push_back(either(fits ? decided : at::Tensor(), inherited(node, result, setting)));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    m_tensors.push_back(std::move(results[i]));
    m_near.push_back(std::move(near[i]));
  }
}

at::Tensor GraphKinks::decided_by(const GraphNode& node) const {
  if (node.passed.empty() || node.passed.front().kind != GraphNode::Passed::Kind::tensor) return {};
  const std::size_t decides = *node.passed.front().tensors.front();
  if (decides < m_given) return {};
  const at::Tensor& x = m_tensors[decides];
  if (!x.defined() || !x.is_floating_point()) return {};
  const at::Tensor x32 = m_in_float32.empty() ? at::Tensor() : m_in_float32[decides];
  if (pools_pairs(node)) return near_pooling_tie(x, x32);
  at::Tensor near;
  for (const double kink : kinks_of(node)) {
    near = either(near, near_zero(x.sub(kink), x32.defined() ? x32.sub(kink) : x32));
  }
  return near;
}

at::Tensor GraphKinks::inherited(const GraphNode& node, const at::Tensor& result,
                                 const CallSetting& setting) const {
  const OperatorKind kind = kind_of_operator(node.name);
  at::Tensor near;
  if (kind == OperatorKind::elementwise) {
    for (const std::size_t number : node.taken()) {
      if (m_near[number].defined()) {
        near = either(near, m_near[number].expand_as(result));
      }
    }
    return near;
  }
  const bool moves = kind == OperatorKind::shape;
  if (!moves && base_name_of_operator(node.name) != "max_pool2d") return {};
  bool any = false;
  std::vector<at::Tensor> masks(m_tensors.size());
  for (const std::size_t number : node.taken()) {
    any |= m_near[number].defined();
    masks[number] = m_near[number].defined() ? m_near[number].to(at::kFloat)
                                             : at::zeros_like(m_tensors[number], at::kFloat);
  }
  if (!any || node.outputs != 1) return {};
  return node.run(masks, {.device = setting.device}).front().ne(0);
}

}  // namespace robust_kbench
