#include "tensor/spec_check.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "tensor/tensor_spec.hpp"

namespace robust_kbench {
namespace {

// This is 4 TiB of float32, so that byte counts for all tensors of many calls fit in 64 bits.
constexpr std::int64_t max_elements = std::int64_t{1} << 40;

struct Problem {
  std::string message;
  std::vector<double> values;  // the wrong ones
};

std::string shape_of(const TensorSpec& spec) {
  std::string text;
  for (const std::int64_t size : spec.shape) {
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  }
  return "(" + text + ")";
}

std::optional<Problem> problem_of_shape(const TensorSpec& spec) {
  const auto problem = [&](const std::string& limit) {
    return Problem{
        .message = "tensor '" + spec.name + "' has shape " + shape_of(spec) + "; " + limit,
        .values = {}};
  };
  std::vector<double> too_small;
  for (const std::int64_t size : spec.shape) {
    if (size < 1) too_small.push_back(static_cast<double>(size));
  }
  if (!too_small.empty()) {
    Problem found = problem("each size must be at least 1");
    found.values = std::move(too_small);
    return found;
  }
  std::int64_t elements = 1;
  for (const std::int64_t size : spec.shape) {
    if (size > max_elements / elements) {
      Problem found = problem("it may have at most " + std::to_string(max_elements) + " elements");
      found.values.assign(spec.shape.begin(), spec.shape.end());
      return found;
    }
    elements *= size;
  }
  return std::nullopt;
}

std::optional<Problem> problem_of_distribution(const TensorSpec& spec) {
  const auto [kind, a, b, spread] = spec.distribution;
  const auto problem = [&, a = a, b = b](const std::string& name, const std::string& limit) {
    return Problem{.message = "tensor '" + spec.name + "' is drawn from " + name + "(" +
                              to_string(ParamValue(a)) + ", " + to_string(ParamValue(b)) + "); " +
                              limit,
                   .values = {a, b}};
  };
  const bool finite = std::isfinite(a) && std::isfinite(b);
  if (kind == Distribution::Kind::normal && !(finite && b >= 0)) {
    return problem("normal", "both must be finite and the standard deviation at least 0");
  }
  if (kind == Distribution::Kind::uniform && !(finite && a < b)) {
    return problem("uniform", "both must be finite and the second, exclusive, above the first");
  }
  if (kind == Distribution::Kind::constant && spread != 0 &&
      !(std::isfinite(a) && std::isfinite(spread) && spread > 0)) {
    return Problem{.message = "tensor '" + spec.name + "' is constant(" + to_string(ParamValue(a)) +
                              ", " + to_string(ParamValue(spread)) +
                              "); both must be finite and the spread at least 0",
                   .values = {a, spread}};
  }
  if (kind == Distribution::Kind::integers && !(a < b)) {
    return problem("integers", "the second, exclusive, must be above the first");
  }
  return std::nullopt;
}

std::optional<Problem> problem_of(const TensorSpec& spec) {
  if (!spec.present) return std::nullopt;
  if (auto problem = problem_of_shape(spec)) return problem;
  return problem_of_distribution(spec);
}

// Lists the parameters that satisfy `wanted`: "'batch_size' is -3, 'features' is 0".
template <typename Wanted>
std::string numbers(const Params& params, Wanted wanted) {
  std::string text;
  for (const auto& [name, value] : params.values()) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    if (integer == nullptr && real == nullptr) continue;
    if (!wanted(integer != nullptr ? static_cast<double>(*integer) : *real)) continue;
    text += (text.empty() ? "'" : ", '") + name + "' is " + to_string(value);
  }
  return text;
}

// Lists the parameters that equal a wrong value, else those below 1, else all.
std::string origin_of(const Problem& problem, const Params& params) {
  const auto is_wrong = [&](double value) {
    return std::find(problem.values.begin(), problem.values.end(), value) != problem.values.end();
  };
  std::string origin = numbers(params, is_wrong);
  if (origin.empty()) origin = numbers(params, [](double value) { return value < 1; });
  if (origin.empty()) origin = numbers(params, [](double) { return true; });
  return origin;
}

}  // namespace

void check_spec(const TensorSpec& spec) {
  if (const auto problem = problem_of(spec)) throw UserError(problem->message);
}

void check_specs(const Workload& workload, const std::string& source) {
  std::vector<TensorSpec> specs;
  try {
    specs = workload.tensor_specs();
    for (const TensorSpec& spec : specs) dtype_of(spec);
  } catch (const UserError& error) {
    throw UserError(source + ": " + error.what());
  }
  for (const TensorSpec& spec : specs) {
    const auto problem = problem_of(spec);
    if (!problem) continue;
    const std::string origin = origin_of(*problem, workload.params);
    throw UserError(source + ": " + origin + (origin.empty() ? "" : ", so ") + problem->message);
  }
}

}  // namespace robust_kbench
