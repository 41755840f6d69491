#include "tensor/output_parts.hpp"

#include <array>

#include "tensor/outliers.hpp"
#include "tensor/reference.hpp"
#include "tensor/root_mean_square.hpp"
#include "tensor/row_magnitudes.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {
namespace {

// References that differ by less are the same, as no float32 would tell them apart.
constexpr double least_change = 1e-9;
// Tiles of Winograd's convolutions are up to 6 pixels wide, for results of up to 4.
// They mix up to 3 neighbours, which are 1 and 2 more beside those.
constexpr std::array<std::int64_t, 2> steps_to_mixed_pixels{1, 2};

bool is_divided(const at::Tensor& reference) {
  return reference.defined() && reference.is_floating_point() && reference.numel() > 0;
}

// Marks what is up to `step` elements along `dim` beside a mark.
void spread(at::Tensor& marks, std::int64_t dim, std::int64_t step) {
  const std::int64_t length = marks.size(dim) - step;
  if (length <= 0) return;
  const at::Tensor before = marks.clone();
  marks.narrow(dim, step, length).bitwise_or_(before.narrow(dim, 0, length));
  marks.narrow(dim, 0, length).bitwise_or_(before.narrow(dim, step, length));
}

at::Tensor with_neighbours(at::Tensor changed) {
  if (changed.dim() < 4) return changed;
  for (const std::int64_t dim : {-1, -2}) {
    for (const std::int64_t step : steps_to_mixed_pixels) spread(changed, dim, step);
  }
  return changed;
}

OutputParts around_outliers(const Workload& workload, const Tensors& tensors,
                            const std::vector<at::Tensor>& references) {
  const std::vector<at::Tensor> usual = reference(workload, without_outliers(tensors));
  OutputParts parts(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (!is_divided(references[i])) continue;
    const double size = root_mean_square(usual[i]);
    const at::Tensor least = references[i].abs().add(size).mul(least_change);
    const at::Tensor changed =
        with_neighbours(references[i].sub(usual[i]).abs().le(least).logical_not());
    parts[i] = {{"elements that no outlier changes", changed.logical_not()},
                {"elements that an outlier changes", changed, /*has_outliers=*/true}};
  }
  return parts;
}

OutputParts by_magnitude(const Workload& workload, std::uint64_t seed,
                         const std::vector<at::Tensor>& references) {
  OutputParts parts(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (!is_divided(references[i])) continue;
    const RowMagnitudes rows(workload, seed, references[i].device());
    if (!rows.concern(references[i].sizes().vec())) continue;
    for (const double magnitude : RowMagnitudes::all) {
      parts[i].push_back(
          {"rows of " + RowMagnitudes::name_of(magnitude) + " times the usual size",
           rows.of(references[i].sizes().vec()).eq(magnitude).expand(references[i].sizes())});
    }
  }
  return parts;
}

}  // namespace

OutputParts output_parts(const Workload& workload, Probe probe, std::uint64_t seed,
                         const Tensors& tensors, const std::vector<at::Tensor>& references) {
  const auto divide = [&]() -> OutputParts {
    if (probe == Probe::outlier) return around_outliers(workload, tensors, references);
    if (probe == Probe::mixed_rows) return by_magnitude(workload, seed, references);
    return {};
  };
  const bool on_gpu =
      !references.empty() && references.front().defined() && references.front().is_cuda();
  return on_gpu ? with_gpu_memory(divide) : divide();
}

}  // namespace robust_kbench
