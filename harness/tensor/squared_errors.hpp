#pragma once

#include <cmath>
#include <cstdint>

namespace robust_kbench {

// Sums over compared elements, which add up over calls.
struct SquaredErrors {
  std::int64_t elements = 0;
  double errors = 0;      // of squared differences from the reference
  double references = 0;  // of squared references

  SquaredErrors& operator+=(const SquaredErrors& more) {
    elements += more.elements;
    errors += more.errors;
    references += more.references;
    return *this;
  }

  // Root mean squares, or 0 without elements.
  [[nodiscard]] double rms() const { return root_mean(errors); }
  [[nodiscard]] double reference_rms() const { return root_mean(references); }

 private:
  [[nodiscard]] double root_mean(double sum) const {
    return elements == 0 ? 0 : std::sqrt(sum / static_cast<double>(elements));
  }
};

}  // namespace robust_kbench
