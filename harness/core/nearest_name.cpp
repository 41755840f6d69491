#include "core/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace robust_kbench {
namespace {

// The edit distance of Levenshtein.
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

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
  return std::string(*std::min_element(known.begin(), known.end(), [&](auto a, auto b) {
    return distance(a, name) < distance(b, name);
  }));
}

}  // namespace robust_kbench
