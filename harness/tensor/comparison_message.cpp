#include "tensor/comparison_message.hpp"

#include <cmath>
#include <utility>

#include "tensor/mismatches.hpp"
#include "tensor/shown_number.hpp"
#include "tensor/tensor_spec.hpp"

namespace robust_kbench {
namespace {

// Formats a tuple as Python does: (), (3,), (3, 5).
std::string tuple(c10::IntArrayRef values) {
  std::string text;
  for (const std::int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "(" + text + (values.size() == 1 ? ",)" : ")");
}

std::string index_of(std::int64_t flat, c10::IntArrayRef shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; flat /= shape[d]) index[d] = flat % shape[d];
  return tuple(index);
}

}  // namespace

std::string attribute_mismatch(const Output& output, const at::Tensor& actual,
                               const at::Tensor& expected) {
  const std::string& name = output.name;
  if (!actual.defined()) return "Output '" + name + "': expected a tensor, but got None.";
  const auto message = [&](const std::string& attribute, const std::string& got,
                           const std::string& wanted) {
    return "Output '" + name + "': the values for attribute '" + attribute +
           "' do not match: " + got + " != " + wanted + ".";
  };
  if (actual.sizes() != expected.sizes()) {
    return message("shape", tuple(actual.sizes()), tuple(expected.sizes()));
  }
  if (actual.scalar_type() != output.dtype) {
    return message("dtype", "torch." + dtype_name(actual.scalar_type()),
                   "torch." + dtype_name(output.dtype));
  }
  if (actual.device() != expected.device()) {
    return message("device", actual.device().str(), expected.device().str());
  }
  if (!actual.is_contiguous()) {  // strides of dimensions of size 1 do not count
    return message("stride()", tuple(actual.strides()), tuple(expected.contiguous().strides()));
  }
  return "";
}

std::string value_mismatch(const std::string& name, const at::Tensor& actual,
                           const at::Tensor& expected, const PrecisionLimits& limits,
                           const std::vector<Example>& examples) {
  const Mismatches found = find_mismatches(actual, expected, limits);
  const std::int64_t count = expected.numel();
  const auto tenths =
      std::llround(1000.0 * static_cast<double>(found.count()) / static_cast<double>(count));
  std::string text = "Output '" + name + "' is not close to the reference!\n";
  text += "\nMismatched elements: " + std::to_string(found.count()) + " / " +
          std::to_string(count) + " (" + std::to_string(tenths / 10) + "." +
          std::to_string(tenths % 10) + "%)";
  const auto place_of = [&](const Mismatch& mismatch) {
    return index_of(mismatch.place, expected.sizes());
  };
  const auto greatest = [&](const char* kind, const Mismatch& mismatch, double allowed) {
    if (mismatch.count == 0) return;
    text += std::string("\nGreatest ") + kind + " difference: " + shown_number(mismatch.size) +
            " at index " + place_of(mismatch) + " (up to " + shown_number(allowed) + " allowed)";
  };
  greatest("absolute", found.absolute, limits.atol);
  greatest("relative", found.relative, limits.rtol);
  const auto places = [&](const char* what, const Mismatch& mismatch) {
    if (mismatch.count == 0) return;
    text += std::string("\n") + what + ": " + std::to_string(mismatch.count) +
            ", the first at index " + place_of(mismatch) + " (" +
            shown_element(actual, mismatch.place) + " instead of " +
            shown_element(expected, mismatch.place) + ")";
  };
  places("NaN where a number is expected", found.nan);
  places("Numbers where NaN is expected", found.missing_nan);
  places("Infinities where another value is expected", found.infinity);
  places("Finite numbers where infinity is expected", found.missing_infinity);
  if (!examples.empty()) text += "\nLargest errors:";
  for (const Example& example : examples) text += "\n  " + to_text(example);
  return text;
}

}  // namespace robust_kbench
