#include "filter/filter_result.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace robust_kbench {

std::string_view to_string(Filter filter) {
  switch (filter) {
    case Filter::output_range:
      return "output_range";
    case Filter::output_std:
      return "output_std";
    case Filter::output_axes:
      return "output_axes";
    case Filter::input_impact:
      return "input_impact";
    case Filter::weight_impact:
      return "weight_impact";
    case Filter::judgement:
      return "judgement";
    case Filter::null_kernels:
      return "null_kernels";
    case Filter::precision:
      return "precision";
    case Filter::tolerance:
      return "tolerance";
    case Filter::baseline:
      return "baseline";
  }
  return "unknown";
}

std::vector<std::string> filter_names() {
  std::vector<std::string> names;
  for (const Filter filter : all_filters) names.emplace_back(to_string(filter));
  return names;
}

Filter parse_filter(const std::string& name) {
  const auto found =
      std::ranges::find(all_filters, name, [](Filter each) { return to_string(each); });
  if (found != all_filters.end()) return *found;
  throw UserError("filter '" + name + "' is unknown; `rkb filter --help` lists them");
}

std::string_view meaning_of(Filter filter) {
  switch (filter) {
    case Filter::output_range:
      return "An output so near to 0 is as right when it is 0, under any usual tolerance.";
    case Filter::output_std:
      return "An output that hardly depends on the seed can be written down.";
    case Filter::output_axes:
      return "An output that is uniform along an axis can be computed once and repeated.";
    case Filter::input_impact:
      return "An output that hardly depends on the inputs can be computed without them.";
    case Filter::weight_impact:
      return "A weight that hardly changes the output need not be read.";
    case Filter::judgement:
      return "A model finds work in the operator that is redundant or inefficient.";
    case Filter::null_kernels:
      return "The tests accept a kernel that does not compute the operator.";
    case Filter::precision:
      return "Limits that torch's float32 fails reject the right, and wide ones accept less than "
             "it.";
    case Filter::tolerance:
      return "A tolerance as wide as the difference between two calls tells nothing about them.";
    case Filter::baseline:
      return "A baseline that does needless work is beaten by leaving the work out.";
  }
  return "";
}

std::string_view to_string(FilterStatus status) {
  switch (status) {
    case FilterStatus::pass:
      return "pass";
    case FilterStatus::caught:
      return "caught";
    case FilterStatus::skipped:
      return "skipped";
  }
  return "unknown";
}

bool TaskVerdict::caught() const {
  return std::ranges::any_of(
      results, [](const FilterResult& result) { return result.status == FilterStatus::caught; });
}

std::optional<double> finite(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace robust_kbench
