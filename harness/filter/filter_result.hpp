#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robust_kbench/direction.hpp>

namespace robust_kbench {

enum class Filter {
  output_range,
  output_std,
  output_axes,
  input_impact,
  weight_impact,
  judgement,
  null_kernels,
  precision,
  tolerance,
  baseline,
};

// In the order in which they are printed.
inline constexpr std::array all_filters{
    Filter::output_range,  Filter::output_std, Filter::output_axes,  Filter::input_impact,
    Filter::weight_impact, Filter::judgement,  Filter::null_kernels, Filter::precision,
    Filter::tolerance,     Filter::baseline};

std::string_view to_string(Filter filter);
std::vector<std::string> filter_names();
Filter parse_filter(std::string_view name);  // throws UserError
// One sentence about a caught task: its flaw, and why it matters.
std::string_view meaning_of(Filter filter);

enum class FilterStatus { pass, caught, skipped };

std::string_view to_string(FilterStatus status);

// One number that a filter has found.
struct Measurement {
  std::string what;             // "largest magnitude of y", "zeros as y"
  std::string where;            // a config, or a case
  std::optional<double> value;  // nullopt: not finite, or no number
  std::string note = {};
};

// The result of one filter for one direction of a task.
struct FilterResult {
  Filter filter = Filter::output_range;
  Direction direction = Direction::forward;
  FilterStatus status = FilterStatus::pass;
  // The number that decides, and the threshold that it is compared with.
  std::optional<double> value = {};
  std::optional<double> threshold = {};
  std::string reason = {};  // the reason for being caught or skipped
  std::vector<Measurement> measurements = {};
};

struct TaskVerdict {
  std::string task;
  std::vector<FilterResult> results;

  [[nodiscard]] bool caught() const;
};

// A number of a measurement; nullopt where it is not finite.
std::optional<double> finite(double value);

}  // namespace robust_kbench
