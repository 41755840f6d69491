#pragma once

#include <cmath>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace robust_kbench {

// A number in [low, high]. CLI::Range lets NaN pass, which is neither below nor above.
inline CLI::Validator finite_between(double low, double high) {
  const std::string range = fmt::format("[{:g} - {:g}]", low, high);
  return {[=](const std::string& text) {
            double value = NAN;
            const bool inside =
                CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
            return inside ? std::string() : fmt::format("{} is no number in {}", text, range);
          },
          "in " + range};
}

}  // namespace robust_kbench
