#include "check/twin.hpp"

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tensor/generator.hpp"

namespace robust_kbench {
namespace {

constexpr std::int64_t elements_per_change = 256;

// Near a kink the gradient is 0 for these very tensors, so there it alone may differ.
std::vector<std::string> changeable(const Task& task, Direction direction, const Tensors& tensors) {
  if (direction == Direction::backward && task.near_kink) return {"grad_output"};
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors.all()) {
    if (tensor.defined() && tensor.numel() > 0) names.push_back(name);
  }
  return names;
}

void copy_element(const at::Tensor& to, const at::Tensor& from, std::int64_t index) {
  const std::size_t bytes = to.element_size();
  const std::size_t offset = static_cast<std::size_t>(index) * bytes;
  std::memcpy(static_cast<std::byte*>(to.mutable_data_ptr()) + offset,
              static_cast<const std::byte*>(from.const_data_ptr()) + offset, bytes);
}

bool is_zero(const at::Tensor& tensor, std::int64_t index) {
  return tensor.view({-1}).select(0, index).item<double>() == 0;
}

}  // namespace

Tensors make_twin(const Task& task, Direction direction, const Params& params, std::uint64_t seed,
                  std::uint64_t key) {
  const bool backward = direction == Direction::backward;
  Tensors twin = make_tensors(task, backward, params, seed);
  const Tensors other = make_tensors(task, backward, params, key);
  const std::vector<std::string> names = changeable(task, direction, twin);
  if (names.empty()) return twin;
  std::mt19937_64 random(key);
  const std::string& name = names[random() % names.size()];
  const at::Tensor& changed = twin[name];
  const auto size = static_cast<std::uint64_t>(changed.numel());
  for (std::int64_t i = 0; i <= changed.numel() / elements_per_change; ++i) {
    const auto index = static_cast<std::int64_t>(random() % size);
    // A gradient that is 0 near a kink stays so.
    if (!backward || !is_zero(changed, index)) copy_element(changed, other[name], index);
  }
  return twin;
}

}  // namespace robust_kbench
