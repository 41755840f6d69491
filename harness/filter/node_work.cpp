#include "filter/node_work.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace robust_kbench {
namespace {

bool is_among(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool adds_to_a_product(std::string_view base) {
  return is_among(base, {"aten::addmm", "aten::baddbmm", "aten::addmv"});
}

double bytes_of(const at::Tensor& tensor) {
  return tensor.defined() ? static_cast<double>(tensor.numel() * tensor.element_size()) : 0;
}

// An in-place operator returns its argument's memory, but it is no view.
bool changes_an_argument(const GraphNode& node) {
  return std::ranges::any_of(node.call.schema().arguments(), [](const c10::Argument& argument) {
    return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
  });
}

bool is_a_view(const GraphNode& node, const std::vector<at::Tensor>& taken,
               const std::vector<at::Tensor>& results) {
  if (changes_an_argument(node)) return false;
  return std::ranges::all_of(results, [&](const at::Tensor& result) {
    return std::ranges::any_of(taken, [&](const at::Tensor& tensor) {
      return tensor.defined() && result.defined() && tensor.is_alias_of(result);
    });
  });
}

double product_flops(const GraphNode& node, const std::vector<at::Tensor>& taken,
                     const std::vector<at::Tensor>& results) {
  const Factors factors = factors_of(node);
  const at::Tensor& left = taken.at(factors.left);
  const at::Tensor& right = taken.at(factors.right);
  const auto elements = static_cast<double>(results.front().numel());
  if (product_kind(node) == ProductKind::matrices) {
    return 2 * elements * static_cast<double>(left.size(-1));
  }
  // A weight has (out, in / groups, ...), a transposed one (in, out / groups, ...).
  const double per_channel =
      static_cast<double>(right.numel()) / static_cast<double>(right.size(0));
  const bool transposed = node.name.find("transpose") != std::string::npos;
  return 2 * per_channel * (transposed ? static_cast<double>(left.numel()) : elements);
}

}  // namespace

std::string_view without_overload(const std::string& name) {
  return std::string_view(name).substr(0, name.find('.'));
}

ProductKind product_kind(const GraphNode& node) {
  const std::string_view base = without_overload(node.name);
  if (is_among(base,
               {"aten::mm", "aten::bmm", "aten::matmul", "aten::linear", "aten::linalg_matmul",
                "aten::mv", "aten::addmm", "aten::baddbmm", "aten::addmv"})) {
    return ProductKind::matrices;
  }
  if (is_among(base, {"aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::conv_transpose1d",
                      "aten::conv_transpose2d", "aten::conv_transpose3d"})) {
    return ProductKind::convolution;
  }
  return ProductKind::none;
}

Factors factors_of(const GraphNode& node) {
  if (adds_to_a_product(without_overload(node.name))) return {.left = 1, .right = 2};
  return {};
}

NodeWork work_of(const GraphNode& node, const std::vector<at::Tensor>& taken,
                 const std::vector<at::Tensor>& results) {
  if (is_a_view(node, taken, results)) return {};
  NodeWork work;
  std::set<const void*> read;
  for (const at::Tensor& tensor : taken) {
    const bool again = tensor.defined() && !read.insert(tensor.unsafeGetTensorImpl()).second;
    if (!again) work.bytes += bytes_of(tensor);
  }
  for (const at::Tensor& result : results) {
    work.bytes += bytes_of(result);
    if (result.defined()) work.flops += static_cast<double>(result.numel());
  }
  if (product_kind(node) != ProductKind::none) {
    work.flops = product_flops(node, taken, results);
  } else if (!taken.empty() && taken.front().defined()) {
    // A reduction does one operation per element that it reads.
    work.flops = std::max(work.flops, static_cast<double>(taken.front().numel()));
  }
  return work;
}

}  // namespace robust_kbench
