#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

struct Fans {
  double in;
  double out;
};

// A weight of shape (out, in, k...) connects in * k... inputs to out * k... outputs.
Fans fans_of(const std::vector<std::int64_t>& weight_shape) {
  if (weight_shape.size() < 2) {
    throw UserError("a weight of " + std::to_string(weight_shape.size()) +
                    " dimensions has no fan; give it (out, in, ...) or another distribution");
  }
  const auto receptive_field = static_cast<double>(std::accumulate(
      weight_shape.begin() + 2, weight_shape.end(), std::int64_t{1}, std::multiplies<>()));
  return {.in = static_cast<double>(weight_shape[1]) * receptive_field,
          .out = static_cast<double>(weight_shape[0]) * receptive_field};
}

}  // namespace

Distribution normal(double mean, double stddev) {
  return {.kind = Distribution::Kind::normal, .a = mean, .b = stddev};
}

Distribution uniform(double low, double high) {
  return {.kind = Distribution::Kind::uniform, .a = low, .b = high};
}

Distribution constant(double value, double spread) {
  return {.kind = Distribution::Kind::constant, .a = value, .spread = spread};
}

Distribution integers(std::int64_t low, std::int64_t high) {
  return {.kind = Distribution::Kind::integers,
          .a = static_cast<double>(low),
          .b = static_cast<double>(high)};
}

// The bound is sqrt(3) * gain / sqrt(fan_in), and a = sqrt(5) gives the gain sqrt(2 / (1 + 5)).
Distribution kaiming_uniform(const std::vector<std::int64_t>& weight_shape) {
  const double bound = 1.0 / std::sqrt(fans_of(weight_shape).in);
  return uniform(-bound, bound);
}

Distribution xavier_normal(const std::vector<std::int64_t>& weight_shape) {
  const Fans fans = fans_of(weight_shape);
  return normal(0.0, std::sqrt(2.0 / (fans.in + fans.out)));
}

Distribution initialization(const std::string& init_method,
                            const std::vector<std::int64_t>& weight_shape) {
  if (init_method == "kaiming") return kaiming_uniform(weight_shape);
  if (init_method == "xavier") return xavier_normal(weight_shape);
  if (init_method == "normal") return normal();
  throw UserError("init_method '" + init_method + "' is unknown; known: kaiming, xavier, normal");
}

}  // namespace robust_kbench
