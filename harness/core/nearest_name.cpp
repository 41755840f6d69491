#include "core/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace robust_kbench {
namespace {

// The Levenshtein distance of two texts.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

// Three letters are required, since one or two occur in too many names.
bool one_holds_the_other(std::string_view a, std::string_view b) {
  const auto [shorter, longer] = a.size() < b.size() ? std::pair(a, b) : std::pair(b, a);
  return shorter.size() >= 3 && longer.find(shorter) != std::string_view::npos;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
  const auto likeness = [&](std::string_view other) {
    return std::pair(!one_holds_the_other(other, name), distance(other, name));
  };
  return std::string(*std::min_element(known.begin(), known.end(),
                                       [&](auto a, auto b) { return likeness(a) < likeness(b); }));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known) {
  if (known.empty()) return ";";
  const std::string nearest = nearest_name(name, known);
  // No more than a third of the letters may differ.
  const std::size_t few = (name.size() + 2) / 3;
  if (!one_holds_the_other(nearest, name) && distance(nearest, name) > few) return ";";
  return "; did you mean '" + nearest + "'?";
}

}  // namespace robust_kbench
