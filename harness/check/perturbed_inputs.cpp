#include "check/perturbed_inputs.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "core/cipher.hpp"
#include "tensor/generator.hpp"
#include "tensor/gradients.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t elements_per_change = 256;

// The part of the tensor that is changed.
enum class Extent { one_element, few_elements, all_but_few };
constexpr std::uint64_t extents = 3;

// The names of tensors whose content differs. Other tensors are the same in every call.
std::vector<std::string> changeable(const Tensors& tensors, const Tensors& other) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors.all()) {
    if (tensor.defined() && !at::equal(tensor, other[name])) names.push_back(name);
  }
  return names;
}

at::Tensor random_places(CipherStream& random, std::uint64_t count, const at::Tensor& tensor) {
  std::vector<std::int64_t> places(count);
  const auto size = static_cast<std::uint64_t>(tensor.numel());
  for (std::int64_t& place : places) place = static_cast<std::int64_t>(random.below(size));
  return at::from_blob(places.data(), {static_cast<std::int64_t>(count)}, at::kLong)
      .to(tensor.device(), /*non_blocking=*/false, /*copy=*/true);
}

void copy_elements(const at::Tensor& to, const at::Tensor& from, const at::Tensor& places) {
  to.index_copy_(0, places, from.index_select(0, places));
}

void change(const at::Tensor& tensor, const at::Tensor& other, CipherStream& random) {
  const at::Tensor changed = tensor.view({-1});
  const at::Tensor values = other.view({-1});
  const std::uint64_t few = static_cast<std::uint64_t>(changed.numel()) / elements_per_change + 1;
  const auto extent = static_cast<Extent>(random.below(extents));
  // A tensor of a single element is changed.
  if (extent == Extent::one_element || changed.numel() == 1) {
    copy_elements(changed, values, random_places(random, 1, changed));
  } else if (extent == Extent::few_elements) {
    copy_elements(changed, values, random_places(random, few, changed));
  } else {
    const at::Tensor original = changed.clone();
    changed.copy_(values);
    copy_elements(changed, original, random_places(random, few, changed));
  }
}

Tensors make_perturbed(const Workload& workload, std::uint64_t seed, std::uint64_t key,
                       c10::Device device) {
  const auto draw = [&](std::uint64_t from, Constants constants) {
    return make_tensors(workload, from, device, constants, NearKinks::kept);
  };
  Tensors perturbed = draw(key, Constants::varied);
  CipherStream random(key);
  perturb(perturbed, draw(seed, Constants::typical), random);
  if (workload.direction == Direction::backward) mask_gradients(workload, perturbed);
  return perturbed;
}

}  // namespace

void perturb(const Tensors& call, const Tensors& earlier, CipherStream& random) {
  const std::vector<std::string> names = changeable(earlier, call);
  const std::string changed = names.empty() ? "" : names[random.below(names.size())];
  const at::Tensor own = names.empty() ? at::Tensor() : call[changed].clone();
  for (const auto& [name, tensor] : call.all()) {
    if (tensor.defined()) tensor.copy_(earlier[name]);
  }
  if (own.defined()) change(call[changed], own, random);
}

Tensors perturbed_inputs(const Workload& workload, std::uint64_t seed, std::uint64_t key,
                         c10::Device device) {
  if (!device.is_cuda()) return make_perturbed(workload, seed, key, device);
  load_torch_cuda();
  return with_gpu_memory([&] { return make_perturbed(workload, seed, key, device); });
}

}  // namespace robust_kbench
