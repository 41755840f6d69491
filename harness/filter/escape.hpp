#pragma once

#include <map>
#include <string>

#include "filter/filter_result.hpp"

namespace robust_kbench {

// Collects what a filter measures of several things (outputs, weights) on several configs. A thing
// escapes where one config gives a value that the threshold does not catch.
class Escape {
 public:
  // `result` outlives it, and gets the threshold.
  Escape(FilterResult& result, double threshold) : m_result(result), m_threshold(threshold) {
    result.threshold = threshold;
  }

  // A value that is no number shows a difference, so it escapes.
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
