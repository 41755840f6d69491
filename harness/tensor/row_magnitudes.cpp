#include "tensor/row_magnitudes.hpp"

#include <algorithm>

#include "core/seed.hpp"
#include "tensor/generator.hpp"
#include "tensor/tensor_spec.hpp"

#include <ATen/ops/where.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The sizes up to the dimension of the rows, or none if the tensor has one row.
std::vector<std::int64_t> up_to_rows(const std::vector<std::int64_t>& shape) {
  const std::size_t dimensions = shape.size() == 3 && shape[1] > 1 ? 2 : 1;
  if (shape.size() <= dimensions || shape[dimensions - 1] < 2) return {};
  return {shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(dimensions)};
}

}  // namespace

std::string RowMagnitudes::name_of(double magnitude) {
  return fmt::format("{:g}", magnitude);
}

RowMagnitudes::RowMagnitudes(const Workload& workload, std::uint64_t seed, c10::Device device) {
  for (const TensorSpec& spec : workload.input_specs()) {
    if (!spec.present || spec.then || !c10::isFloatingType(dtype_of(spec))) continue;
    m_shape = up_to_rows(spec.shape);
    if (!m_shape.empty()) break;
  }
  if (m_shape.empty()) return;
  const TensorSpec numbers{.name = "row_magnitudes",
                           .shape = {m_shape.back()},
                           .distribution = uniform(0.0, static_cast<double>(all.size()))};
  const at::Tensor kinds =
      generate(numbers, tensor_key(workload.task.name, numbers.name, seed), device)
          .to(at::kDouble)
          .floor_();
  // The first rows have all of them.
  for (std::int64_t i = 0; i < std::min<std::int64_t>(m_shape.back(), all.size()); ++i) {
    kinds.narrow(0, i, 1).fill_(
        static_cast<double>((static_cast<std::uint64_t>(i) + seed / 2) % all.size()));
  }
  m_magnitudes = at::where(kinds.eq(0), all[0], at::where(kinds.eq(1), all[1], all[2]));
}

bool RowMagnitudes::concern(const std::vector<std::int64_t>& shape) const {
  return !m_shape.empty() && shape.size() >= m_shape.size() && shape.front() == m_shape.front() &&
         shape[m_shape.size() - 1] == m_shape.back();
}

at::Tensor RowMagnitudes::of(const std::vector<std::int64_t>& shape) const {
  std::vector<std::int64_t> sizes(shape.size(), 1);
  sizes[m_shape.size() - 1] = m_shape.back();
  return m_magnitudes.view(sizes);
}

}  // namespace robust_kbench
