#include "check/detect/input_mutation.hpp"

#include <algorithm>
#include <string>

#include "check/bytes.hpp"

#include <ATen/ops/from_blob.h>

namespace robust_kbench {
namespace {

// Row-major position of element `index`, as torch prints it: (1, 2).
std::string position(const at::Tensor& tensor, std::int64_t index) {
  std::string text;
  for (std::int64_t d = tensor.dim() - 1; d >= 0; --d) {
    text = std::to_string(index % tensor.size(d)) + (text.empty() ? "" : ", ") + text;
    index /= tensor.size(d);
  }
  return "(" + text + ")";
}

std::string element(const at::Tensor& tensor, std::int64_t index) {
  const at::Tensor value = tensor.view({-1}).select(0, index);
  return value.is_floating_point() ? std::to_string(value.item<double>())
                                   : std::to_string(value.item<std::int64_t>());
}

}  // namespace

std::optional<Judgement> input_mutation(const BatchEvidence& evidence) {
  for (const PlacedTensor& tensor : evidence.placement.tensors) {
    const at::Tensor now = at::from_blob(evidence.arena.data() + tensor.offset,
                                         tensor.pristine.sizes(), tensor.pristine.options());
    if (same_bytes(now, tensor.pristine)) continue;
    const at::Tensor was = tensor.pristine.cpu();
    const at::Tensor is = now.cpu();
    const auto* begin = static_cast<const std::byte*>(was.const_data_ptr());
    const auto* changed = static_cast<const std::byte*>(is.const_data_ptr());
    const auto differs = std::mismatch(begin, begin + tensor.bytes, changed).first - begin;
    const std::int64_t index = differs / was.element_size();
    return cheat(CheatClass::input_mutation, "the kernel wrote to its input '" + tensor.name +
                                                 "': element " + position(was, index) + " was " +
                                                 element(was, index) + " and is " +
                                                 element(is, index));
  }
  return std::nullopt;
}

}  // namespace robust_kbench
