#pragma once

#include <map>
#include <string>

#include "filter/filter_result.hpp"

namespace robust_kbench {

// Collects the values that a filter measures of several things (outputs, weights) on several
// configs. A thing escapes where its value on one config reaches the threshold.
class Escape {
 public:
  // `result` outlives it, and gets the threshold.
  Escape(FilterResult& result, double threshold) : m_result(result), m_threshold(threshold) {
    result.threshold = threshold;
  }

  // NaN counts as a difference, so the thing escapes.
  void add(const std::string& thing, const std::string& what, const std::string& config,
           double value, const std::string& note = {});
  [[nodiscard]] bool has_escaped(const std::string& thing) const;
  // Sets the result's status, value and reason. `says` follows the name of a caught thing:
  // "deviates by less than".
  void conclude(const std::string& says);

 private:
  FilterResult& m_result;
  const double m_threshold;
  std::map<std::string, double> m_greatest;  // of each thing, over configs
};

}  // namespace robust_kbench
