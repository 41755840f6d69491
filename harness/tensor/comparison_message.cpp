#include "tensor/comparison_message.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace robust_kbench {
namespace {

// As Python writes a float: the fewest digits that read back as the same double.
std::string number(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

// As Python writes a tuple: (), (3,), (3, 5).
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

at::ScalarType wanted_dtype(const at::Tensor& expected) {
  return expected.scalar_type() == at::kDouble ? at::kFloat : expected.scalar_type();
}

double element(const at::Tensor& tensor, std::int64_t i) {
  switch (tensor.scalar_type()) {
    case at::kDouble:
      return tensor.const_data_ptr<double>()[i];
    case at::kFloat:
      return tensor.const_data_ptr<float>()[i];
    default:
      return static_cast<double>(tensor.const_data_ptr<std::int64_t>()[i]);
  }
}

// The elements that differ in one way.
struct Finding {
  std::int64_t count = 0;
  std::int64_t place = 0;  // of the greatest value, or the first
  double value = -1;

  void add(std::int64_t i, double v = 0) {
    ++count;
    if (v > value) {
      value = v;
      place = i;
    }
  }
};

struct Findings {
  Finding all;
  Finding absolute;     // both finite
  Finding relative;     // both finite, expected not 0
  Finding nan;          // NaN where a number is expected
  Finding missing_nan;  // a number where NaN is expected
  Finding infinity;     // infinite where it should not be, or of the other sign
  Finding missing_infinity;
};

Findings find(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance) {
  Findings findings;
  for (std::int64_t i = 0; i < expected.numel(); ++i) {
    const double a = element(actual, i);
    const double e = element(expected, i);
    const bool nan = std::isnan(a);
    if (a == e || (nan && std::isnan(e))) continue;
    if (nan != std::isnan(e)) {
      (nan ? findings.nan : findings.missing_nan).add(i);
    } else if (std::isinf(a)) {
      findings.infinity.add(i);
    } else if (std::isinf(e)) {
      findings.missing_infinity.add(i);
    } else {
      const double distance = std::abs(a - e);
      if (distance <= tolerance.atol + tolerance.rtol * std::abs(e)) continue;
      findings.absolute.add(i, distance);
      if (e != 0) findings.relative.add(i, distance / std::abs(e));
    }
    findings.all.add(i);
  }
  return findings;
}

}  // namespace

std::string dtype_name(at::ScalarType dtype) {
  // torch.float16 is c10's Half: users know Python's names.
  static constexpr std::array<std::pair<at::ScalarType, std::string_view>, 10> names{{
      {at::kFloat, "float32"},
      {at::kDouble, "float64"},
      {at::kHalf, "float16"},
      {at::kBFloat16, "bfloat16"},
      {at::kLong, "int64"},
      {at::kInt, "int32"},
      {at::kShort, "int16"},
      {at::kChar, "int8"},
      {at::kByte, "uint8"},
      {at::kBool, "bool"},
  }};
  for (const auto& [type, name] : names) {
    if (type == dtype) return std::string(name);
  }
  return c10::toString(dtype);
}

std::string attribute_mismatch(const std::string& name, const at::Tensor& actual,
                               const at::Tensor& expected) {
  if (!actual.defined()) return "Output '" + name + "': expected a tensor, but got None.";
  const auto message = [&](const std::string& attribute, const std::string& got,
                           const std::string& wanted) {
    return "Output '" + name + "': the values for attribute '" + attribute +
           "' do not match: " + got + " != " + wanted + ".";
  };
  if (actual.sizes() != expected.sizes()) {
    return message("shape", tuple(actual.sizes()), tuple(expected.sizes()));
  }
  const at::ScalarType dtype = wanted_dtype(expected);
  if (actual.scalar_type() != dtype) {
    return message("dtype", "torch." + dtype_name(actual.scalar_type()),
                   "torch." + dtype_name(dtype));
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
                           const at::Tensor& expected, const Tolerance& tolerance) {
  const Findings findings = find(actual, expected, tolerance);
  const std::int64_t count = expected.numel();
  const auto tenths =
      std::llround(1000.0 * static_cast<double>(findings.all.count) / static_cast<double>(count));
  std::string text = "Output '" + name + "' is not close to the reference!\n";
  text += "\nMismatched elements: " + std::to_string(findings.all.count) + " / " +
          std::to_string(count) + " (" + std::to_string(tenths / 10) + "." +
          std::to_string(tenths % 10) + "%)";
  const auto place_of = [&](const Finding& finding) {
    return index_of(finding.place, expected.sizes());
  };
  const auto greatest = [&](const char* kind, const Finding& finding, double allowed) {
    if (finding.count == 0) return;
    text += std::string("\nGreatest ") + kind + " difference: " + number(finding.value) +
            " at index " + place_of(finding) + " (up to " + number(allowed) + " allowed)";
  };
  greatest("absolute", findings.absolute, tolerance.atol);
  greatest("relative", findings.relative, tolerance.rtol);
  const auto places = [&](const char* what, const Finding& finding) {
    if (finding.count == 0) return;
    text += std::string("\n") + what + ": " + std::to_string(finding.count) +
            ", the first at index " + place_of(finding) + " (" +
            number(element(actual, finding.place)) + " instead of " +
            number(element(expected, finding.place)) + ")";
  };
  places("NaN where a number is expected", findings.nan);
  places("Numbers where NaN is expected", findings.missing_nan);
  places("Infinities where another value is expected", findings.infinity);
  places("Finite numbers where infinity is expected", findings.missing_infinity);
  return text;
}

}  // namespace robust_kbench
