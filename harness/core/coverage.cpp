#include "core/coverage.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<Coverage, 3> coverage_names{
    "scope",
    {{{Coverage::full, "full"}, {Coverage::quick, "quick"}, {Coverage::listed, "listed"}}}};

}  // namespace

std::string_view to_string(Coverage coverage) {
  return coverage_names.name_of(coverage);
}

Coverage parse_coverage(std::string_view name) {
  return coverage_names.parse(name);
}

}  // namespace robust_kbench
