#include "tensor/probe.hpp"

#include <algorithm>

#include "tensor/gradients.hpp"
#include "tensor/outliers.hpp"
#include "tensor/probe_content.hpp"
#include "tensor/row_magnitudes.hpp"
#include "tensor/torch_cuda.hpp"

#include <c10/core/GradMode.h>

namespace robust_kbench {
namespace {

bool concerns_weights(Probe probe) {
  return probe == Probe::weights_scaled || probe == Probe::general_weights ||
         probe == Probe::late_weights;
}

bool is_exact(Probe probe, std::uint64_t seed) {
  return probe == Probe::constant_rows || probe == Probe::ties ||
         (probe == Probe::near_ties && seed % 2 == 0);
}

// Sets the first half of every second row to 0, as if a ReLU or a mask had stopped its gradients.
void stop_beginnings(const at::Tensor& gradient, std::uint64_t seed) {
  if (gradient.dim() == 0) return;
  const std::int64_t first = seed % 2 != 0 ? 0 : 1;
  gradient.slice(0, first, c10::nullopt, 2).narrow(-1, 0, gradient.size(-1) / 2).zero_();
}

void mix_magnitudes(const Workload& workload, std::uint64_t seed, const at::Tensor& tensor) {
  const RowMagnitudes rows(workload, seed, tensor.device());
  const std::vector<std::int64_t> shape = tensor.sizes().vec();
  if (rows.concern(shape)) tensor.mul_(rows.of(shape).to(tensor.scalar_type()));
}

void probe_gradients(const Workload& workload, const ProbeSource& source, Tensors& tensors) {
  const auto& [task, probe, seed, device] = source;
  for (const auto& [name, output] : incoming_gradients(workload.task)) {
    const at::Tensor& gradient = tensors[name];
    if (probe == Probe::gradients_scaled) gradient.mul_(scale_of(seed));
    if (probe == Probe::constant_rows) stop_beginnings(gradient, seed);
    if (probe == Probe::repeated_row) tensors.set(name, with_repeated_row(gradient));
    if (probe == Probe::mixed_rows) mix_magnitudes(workload, seed, gradient);
    if (probe == Probe::outlier) {
      const TensorSpec spec{.name = name, .shape = gradient.sizes().vec()};
      tensors.set(name, with_outliers(gradient, spec, source));
    }
  }
}

Tensors make_probe(const Workload& workload, Probe probe, std::uint64_t seed, c10::Device device) {
  const c10::AutoGradMode no_grad(false);
  const ProbeSource source{workload.task, probe, seed, device};
  Tensors tensors;
  for (const TensorSpec& spec : workload.input_specs()) {
    tensors.set(spec.name, spec.present ? probed_input(spec, source) : at::Tensor());
    const bool is_free = spec.present && !spec.then && tensors[spec.name].is_floating_point();
    if (probe == Probe::mixed_rows && is_free) mix_magnitudes(workload, seed, tensors[spec.name]);
  }
  for (const TensorSpec& spec : workload.weight_specs()) {
    tensors.set(spec.name, spec.present ? probed_weight(spec, source) : at::Tensor());
  }
  if (probe == Probe::masked) mask_inputs(source, workload.input_specs(), tensors);
  if (workload.direction == Direction::backward) {
    add_gradients(workload, seed, device,
                  is_exact(probe, seed) ? NearKinks::kept : NearKinks::masked, tensors);
    probe_gradients(workload, source, tensors);
  }
  return tensors;
}

}  // namespace

std::optional<std::string> why_inapplicable(const Task& task, Direction direction, Probe probe) {
  if (!task.domain) return "the task declares no domain";
  if (concerns_weights(probe) && !task.weights) return "the task has no weights";
  if (probe == Probe::gradients_scaled && direction == Direction::forward) {
    return "a forward is handed no gradients";
  }
  const auto& declared = task.domain->inapplicable;
  const auto found = std::ranges::find_if(declared, [&](const InapplicableProbe& left_out) {
    return left_out.probe == probe && left_out.direction.value_or(direction) == direction;
  });
  if (found == declared.end()) return std::nullopt;
  return found->reason;
}

std::vector<Probe> applicable_probes(const Task& task, Direction direction) {
  std::vector<Probe> probes;
  for (const Probe probe : all_probes) {
    if (!why_inapplicable(task, direction, probe)) probes.push_back(probe);
  }
  return probes;
}

Tensors probe_tensors(const Workload& workload, Probe probe, std::uint64_t seed,
                      c10::Device device) {
  if (!device.is_cuda()) return make_probe(workload, probe, seed, device);
  load_torch_cuda();
  return with_gpu_memory([&] { return make_probe(workload, probe, seed, device); });
}

}  // namespace robust_kbench
