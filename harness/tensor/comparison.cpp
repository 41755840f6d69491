#include "tensor/comparison.hpp"

#include "tensor/comparison_message.hpp"
#include "tensor/differences.hpp"
#include "tensor/largest_errors.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

// Converts integers and bool to int64, and 16-bit floating numbers to float32.
at::Tensor widened(const at::Tensor& output) {
  if (!output.is_floating_point()) return output.to(at::kLong);
  return output.element_size() == 2 ? output.to(at::kFloat) : output;
}

// Converts integers and bool to int64, and all floating numbers to float64.
at::Tensor widened_reference(const at::Tensor& reference) {
  return reference.to(reference.is_floating_point() ? at::kDouble : at::kLong);
}

void complain(Comparison& comparison, const Output& output, const PrecisionLimits& limits,
              const at::Tensor& actual, const at::Tensor& expected) {
  comparison.equal = false;
  comparison.examples = largest_errors(output.name, actual, expected, limits);
  comparison.message = value_mismatch(output.name, actual, expected, limits, comparison.examples);
}

// Elements outside of the part are right in what is judged here.
void compare_part(const Output& output, const PrecisionLimits& limits, const at::Tensor& actual,
                  const at::Tensor& expected, const at::Tensor& mask, Comparison& comparison) {
  const Differences found =
      differences(actual.masked_select(mask), expected.masked_select(mask), limits.rtol);
  comparison.parts.push_back(found.squares);
  if (!comparison.equal || found.beyond <= limits.atol) return;
  complain(comparison, output, limits, at::where(mask, actual, expected.to(actual.scalar_type())),
           expected);
  comparison.message += "\nThe limits are those of " + limits.part + ".";
}

}  // namespace

Comparison compare(const Output& output, const PrecisionLimits& limits, const at::Tensor& actual,
                   const at::Tensor& expected, const std::vector<OutputPart>& parts) {
  std::string mismatch = attribute_mismatch(output, actual, expected);
  if (!mismatch.empty()) return {.equal = false, .squares = {}, .message = std::move(mismatch)};
  const auto compare_values = [&]() -> Comparison {
    const at::Tensor a = widened(actual);
    const at::Tensor e = widened_reference(expected.contiguous());
    const Differences found = differences(a, e, limits.rtol);
    const bool equal = found.beyond <= limits.atol;
    Comparison comparison{.equal = equal,
                          .max_abs = found.max_abs,
                          .max_rel = found.max_rel,
                          .squares = found.squares,
                          .message = {}};
    if (!equal) complain(comparison, output, limits, a, e);
    for (std::size_t i = 0; i < parts.size() && i < limits.parts.size(); ++i) {
      compare_part(output, limits.parts[i], a, e, parts[i].mask, comparison);
    }
    return comparison;
  };
  return expected.is_cpu() ? compare_values() : with_gpu_memory(compare_values);
}

}  // namespace robust_kbench
