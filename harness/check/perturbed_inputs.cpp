#include "check/perturbed_inputs.hpp"

#include <random>
#include <string>
#include <vector>

#include "tensor/generator.hpp"

#include <ATen/ops/from_blob.h>

namespace robust_kbench {
namespace {

constexpr std::int64_t elements_per_change = 256;

// Near a kink incoming gradients are 0 for these very tensors, so there they alone may differ.
std::vector<std::string> changeable(const Workload& workload, const Tensors& tensors) {
  std::vector<std::string> names;
  if (workload.direction == Direction::backward && workload.task.near_kink) {
    for (const auto& [name, output] : incoming_gradients(workload.task)) names.push_back(name);
  } else {
    for (const auto& [name, tensor] : tensors.all()) names.push_back(name);
  }
  std::erase_if(names, [&](const std::string& name) {
    return !tensors[name].defined() || tensors[name].numel() == 0;
  });
  return names;
}

}  // namespace

Tensors perturbed_inputs(const Workload& workload, std::uint64_t seed, std::uint64_t key,
                         c10::Device device) {
  Tensors perturbed = make_tensors(workload, seed, device);
  const Tensors other = make_tensors(workload, key, device);
  const std::vector<std::string> names = changeable(workload, perturbed);
  if (names.empty()) return perturbed;
  std::mt19937_64 random(key);
  const std::string& name = names[random() % names.size()];
  const at::Tensor changed = perturbed[name].view({-1});
  const auto size = static_cast<std::uint64_t>(changed.numel());
  std::vector<std::int64_t> places(changed.numel() / elements_per_change + 1);
  for (std::int64_t& place : places) place = static_cast<std::int64_t>(random() % size);
  const at::Tensor indices =
      at::from_blob(places.data(), {static_cast<std::int64_t>(places.size())}, at::kLong)
          .to(device);
  at::Tensor values = other[name].view({-1}).index_select(0, indices);
  // A gradient that is 0 near a kink stays so.
  if (workload.direction == Direction::backward) {
    values = values.masked_fill(changed.index_select(0, indices).eq(0), 0.0);
  }
  changed.index_copy_(0, indices, values);
  return perturbed;
}

}  // namespace robust_kbench
