#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace robust_kbench {

// The distribution from which a tensor's elements are drawn, by a counter-based generator keyed by
// task, tensor and seed.
struct Distribution {
  enum class Kind { normal, uniform, constant, integers, zero };
  Kind kind = Kind::normal;
  double a = 0.0;       // mean | low (inclusive) | value | low (inclusive)
  double b = 1.0;       // standard deviation | high (exclusive) | unused | high (exclusive)
  double spread = 0.0;  // for constant(), see below
};

Distribution normal(double mean = 0.0, double stddev = 1.0);
Distribution uniform(double low, double high);
// Every element has the value, in tests of typical data. Timed calls and perturbed ones draw each
// element from [value - spread, value + spread), so that results kept from one call are wrong in
// the next. A variance needs a spread below its value. Without a spread, all calls have the same
// tensor.
Distribution constant(double value, double spread = 0.0);
Distribution integers(std::int64_t low, std::int64_t high);  // int64 unless the spec has a dtype

// torch.nn.init's methods for a weight of shape (out, in, ...): kaiming_uniform with a = sqrt(5),
// the default of torch.nn.Linear and torch.nn.Conv2d, and xavier_normal with gain 1.
Distribution kaiming_uniform(const std::vector<std::int64_t>& weight_shape);
Distribution xavier_normal(const std::vector<std::int64_t>& weight_shape);

// One of these by its name in robust-kbench's configs: kaiming, xavier, or normal (mean 0, standard
// deviation 1). Throws UserError for any other name.
Distribution initialization(const std::string& init_method,
                            const std::vector<std::int64_t>& weight_shape);

}  // namespace robust_kbench
