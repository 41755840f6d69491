#include "tensor/vmap.hpp"

#include <ATen/functorch/BatchedFallback.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>

namespace robust_kbench {
namespace {

namespace functorch = at::functorch;

// While one exists, operators of this thread take tensors with a batch dimension of its level.
class VmapLevel {
 public:
  explicit VmapLevel(std::int64_t calls)
      : m_level(functorch::initAndPushDynamicLayer(
            functorch::TransformType::Vmap, c10::SymInt(calls), functorch::RandomnessType::Error)) {
    // Operators that torch computes call by call are right, too, and no user could act on a
    // warning.
    functorch::setVmapFallbackWarningEnabled(false);
  }
  ~VmapLevel() { functorch::popDynamicLayerAndDeleteMetadata(); }
  VmapLevel(const VmapLevel&) = delete;
  VmapLevel& operator=(const VmapLevel&) = delete;

  [[nodiscard]] at::Tensor with_batch_dimension(const at::Tensor& stacked) const {
    return stacked.defined() ? functorch::addBatchDim(stacked, 0, m_level) : stacked;
  }

  // The value behind a result. The flag says whether it has a batch dimension, which is the first.
  [[nodiscard]] std::pair<at::Tensor, bool> value_of(const at::Tensor& result) const {
    const auto* batched = result.defined() ? functorch::maybeGetBatchedImpl(result) : nullptr;
    if (batched == nullptr || batched->level() != m_level) return {result, false};
    return {batched->value().movedim(batched->bdim(), 0), true};
  }

 private:
  const std::int64_t m_level;
};

}  // namespace

std::vector<at::Tensor> vmap(const CallFunction& function, const Tensors& stacked,
                             std::int64_t calls) {
  std::vector<std::pair<at::Tensor, bool>> values;
  {
    const VmapLevel level(calls);
    Tensors tensors;
    for (const auto& [name, tensor] : stacked.all()) {
      tensors.set(name, level.with_batch_dimension(tensor));
    }
    for (const at::Tensor& result : function(tensors)) values.push_back(level.value_of(result));
  }
  std::vector<at::Tensor> results;
  for (const auto& [value, has_calls] : values) {
    if (has_calls || !value.defined()) {
      results.push_back(value);
      continue;
    }
    // The result depends on no tensor, so all calls have the same.
    std::vector<std::int64_t> shape = value.sizes().vec();
    shape.insert(shape.begin(), calls);
    results.push_back(value.expand(shape));
  }
  return results;
}

}  // namespace robust_kbench
