#include <limits>
#include <utility>

#include "core/seed.hpp"
#include "tensor/generator.hpp"
#include "tensor/outliers.hpp"
#include "tensor/probe_content.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

constexpr double shifted_mean = 100.0;
constexpr double far_shifted_mean = 10000.0;
// The exp() of even half of this overflows float32.
constexpr double largest_logit = 300.0;
constexpr int largest_integer = 2;
// Every fourth row has one NaN in this many elements, and as many of each infinity.
constexpr double special_elements = 16.0;

// Every row of the first half has the same constant, which is 0 for an even seed. Later rows take
// turns: one is 0, the next has a constant of its own, the third changes, as does the last. For an
// odd seed a row changes in the middle of each plane. For an even seed it is 0 except for one
// element of its second half. So a kernel is wrong that looks only at samples, or at the beginning
// of a tensor or row.
at::Tensor constant_rows(const TensorSpec& spec, const ProbeSource& source, std::int64_t elements) {
  const std::int64_t length = row_length(spec.shape);
  const std::int64_t rows = elements / length;
  const auto integers = [&](const char* purpose, std::int64_t width) {
    return small_integers(source, spec, purpose, {rows, width}, largest_integer);
  };
  const at::Tensor own = integers("constants", 1);
  const std::int64_t plane = plane_length(spec.shape);
  const at::Tensor column = indices(length, source.device);
  const at::Tensor late = column.remainder(plane).ge((plane + 1) / 2);
  const at::Tensor place =
      source.uniform_numbers(spec, "place", {1}, 0.5, 1.0).mul_(length).floor_();
  const at::Tensor changing = source.enlarges() ? at::where(late, integers("elements", length), own)
                                                : own.mul(0).add(column.eq(place));
  const at::Tensor row = indices(rows, source.device).view({rows, 1});
  const at::Tensor from_last = row.mul(-1).add(rows - 1);
  const at::Tensor kind = from_last.remainder(3);
  const at::Tensor later = at::where(kind.eq(0), changing, at::where(kind.eq(1), own, own.mul(0)));
  const at::Tensor first = own.mul(0).add(source.enlarges() ? largest_integer : 0);
  return at::where(row.lt(rows / 2), first, later).reshape(spec.shape);
}

// Gives the first half of the tensor, along the leading dimension, one value.
at::Tensor with_constant_beginning(const at::Tensor& drawn) {
  if (drawn.dim() == 0) return drawn;
  const at::Tensor beginning = drawn.narrow(0, 0, (drawn.size(0) + 1) / 2);
  beginning.copy_(drawn.narrow(0, 0, 1).clone().expand_as(beginning));
  return drawn;
}

at::Tensor with_special_elements(const at::Tensor& drawn, const TensorSpec& spec,
                                 const ProbeSource& source) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::int64_t rows = spec.shape.empty() ? 1 : spec.shape.front();
  std::vector<std::int64_t> per_row(spec.shape.size(), 1);
  if (!per_row.empty()) per_row.front() = rows;
  const at::Tensor chosen = indices(rows, source.device).remainder(4).eq(0).view(per_row);
  const at::Tensor number =
      source.uniform_numbers(spec, "special", spec.shape, 0.0, special_elements);
  const auto fill = [&](double from, double value) {
    drawn.masked_fill_(number.ge(from).logical_and(number.lt(from + 1.0)).logical_and(chosen),
                       value);
  };
  fill(0.0, std::numeric_limits<double>::quiet_NaN());
  fill(1.0, infinity);
  fill(2.0, -infinity);
  return drawn;
}

}  // namespace

at::Tensor indices(std::int64_t count, c10::Device device) {
  return at::arange(count, at::TensorOptions(at::kLong).device(device));
}

std::int64_t row_length(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return 1;
  std::int64_t length = shape.back();
  if (shape.size() < 4) return length;
  for (std::size_t d = 1; d + 1 < shape.size(); ++d) length *= shape[d];
  return length;
}

std::int64_t plane_length(const std::vector<std::int64_t>& shape) {
  if (shape.size() < 4) return row_length(shape);
  return shape[shape.size() - 2] * shape.back();
}

at::Tensor ProbeSource::typical(const TensorSpec& spec) const {
  return generate(spec, tensor_key(task.name, spec.name, seed), device);
}

at::Tensor ProbeSource::uniform_numbers(const TensorSpec& spec, const char* purpose,
                                        std::vector<std::int64_t> shape, double low,
                                        double high) const {
  const TensorSpec numbers{.name = spec.name + "/" + purpose,
                           .shape = std::move(shape),
                           .distribution = uniform(low, high)};
  return generate(numbers, tensor_key(task.name, numbers.name, seed), device);
}

at::Tensor small_integers(const ProbeSource& source, const TensorSpec& spec, const char* purpose,
                          std::vector<std::int64_t> shape, int most) {
  return source.uniform_numbers(spec, purpose, std::move(shape), -most - 0.5, most + 0.5).round_();
}

double scale_of(std::uint64_t seed) {
  return seed % 2 != 0 ? 1000.0 : 1.0 / 1000.0;
}

at::Tensor with_repeated_row(const at::Tensor& tensor) {
  if (tensor.dim() == 0) return tensor;
  return tensor.narrow(0, 0, 1).expand_as(tensor).contiguous();
}

at::Tensor probed_input(const TensorSpec& spec, const ProbeSource& source) {
  const at::Tensor typical = source.typical(spec);
  if (source.probe == Probe::repeated_row) return with_repeated_row(typical);
  // Other content would break what the module guarantees, such as rows whose sum is 1.
  if (spec.then) return typical;
  if (source.probe == Probe::permuted) return permuted_rows(source, spec);
  if (!typical.is_floating_point()) {
    return source.probe == Probe::constant_rows ? with_constant_beginning(typical) : typical;
  }
  switch (source.probe) {
    case Probe::inputs_times_1000:
      return typical.mul(1000.0);
    case Probe::inputs_divided_by_1000:
      return typical.div(1000.0);
    case Probe::inputs_around_100:
      return typical.add(shifted_mean);
    case Probe::inputs_around_10000:
      return typical.add(far_shifted_mean);
    case Probe::outlier:
      return with_outliers(typical, spec, source);
    case Probe::near_ties:
      return nearly_equal(source, spec).to(typical.scalar_type());
    case Probe::constant_rows:
      return constant_rows(spec, source, typical.numel()).to(typical.scalar_type());
    case Probe::large_logits:
      return source.uniform_numbers(spec, "logits", spec.shape, -largest_logit, largest_logit)
          .to(typical.scalar_type());
    case Probe::ties:
      return small_integers(source, spec, "integers", spec.shape, 1).to(typical.scalar_type());
    case Probe::nan_and_infinity:
      return with_special_elements(typical, spec, source);
    default:
      return typical;
  }
}

}  // namespace robust_kbench
