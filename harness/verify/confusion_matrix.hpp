#pragma once

#include <optional>
#include <string>

#include "core/proportion.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The verdicts of a verifier on kernels whose truth is known. An alarm calls a kernel wrong. An
// abstention is neither an alarm nor its absence, so it stands apart, and is never correct.
struct ConfusionMatrix {
  int found = 0;            // wrong kernels with an alarm
  int overlooked = 0;       // wrong ones that were called valid
  int false_alarms = 0;     // right kernels with an alarm
  int let_through = 0;      // right ones that were called valid
  int abstained_wrong = 0;  // abstentions on wrong kernels
  int abstained_right = 0;  // and on right ones

  void add(bool is_valid, std::optional<bool> said_valid);

  [[nodiscard]] int kernels() const;
  [[nodiscard]] Proportion accuracy() const;   // correct verdicts, of all kernels
  [[nodiscard]] Proportion precision() const;  // alarms that were right
  [[nodiscard]] Proportion recall() const;     // wrong kernels that were found
  [[nodiscard]] Proportion passing() const;    // right kernels that were let through
  friend bool operator==(const ConfusionMatrix&, const ConfusionMatrix&) = default;
};

// The counts, and each share with `share`, `ci_low` and `ci_high`.
nlohmann::json to_json_object(const ConfusionMatrix& matrix);

// The counts as a table, and the shares with their 95 % intervals, each line indented by two.
std::string to_text(const ConfusionMatrix& matrix);

}  // namespace robust_kbench
