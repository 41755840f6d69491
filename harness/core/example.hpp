#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// One element of an output that differs from the reference.
struct Example {
  std::string output;               // the output's name
  std::vector<std::int64_t> index;  // one number for each dimension; empty for a scalar
  // Both values are as Python writes a number, in the fewest digits that read back as the same
  // value. NaN and infinity are written, too.
  std::string actual;  // the kernel's, in the output's own precision
  // The float64 reference's. Where two calls on the same content differ, it is the first call's.
  std::string expected;

  bool operator==(const Example&) const = default;
};

// "at index (0, 3): got 0.5, expected 0.25"
std::string to_text(const Example& example);

void to_json(nlohmann::json& json, const Example& example);
void from_json(const nlohmann::json& json, Example& example);

}  // namespace robust_kbench
