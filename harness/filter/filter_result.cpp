#include "filter/filter_result.hpp"

#include <algorithm>
#include <cmath>

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<Filter, all_filters.size()> names_of_filters{
    "filter",
    {{{Filter::output_range, "output_range"},
      {Filter::output_std, "output_std"},
      {Filter::output_axes, "output_axes"},
      {Filter::input_impact, "input_impact"},
      {Filter::weight_impact, "weight_impact"},
      {Filter::judgement, "judgement"},
      {Filter::null_kernels, "null_kernels"},
      {Filter::precision, "precision"},
      {Filter::tolerance, "tolerance"},
      {Filter::baseline, "baseline"}}}};

}  // namespace

std::string_view to_string(Filter filter) {
  return names_of_filters.name_of(filter);
}

std::vector<std::string> filter_names() {
  std::vector<std::string> all;
  for (const auto& [filter, name] : names_of_filters.rows) all.emplace_back(name);
  return all;
}

Filter parse_filter(std::string_view name) {
  return names_of_filters.parse(name);
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
