#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace robust_kbench {

// The names of an enumeration's values, as records and command lines spell them.
template <typename Enum, std::size_t count>
struct EnumNames {
  std::string_view what;  // "verdict": what messages call a value
  std::array<std::pair<Enum, std::string_view>, count> rows;

  [[nodiscard]] std::string_view name_of(Enum value) const { return rows[index_of(value)].second; }

  // The index of the value's row.
  [[nodiscard]] std::size_t index_of(Enum value) const {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& known) { return known.first == value; });
    return static_cast<std::size_t>(row - rows.begin());
  }

  // Throws UserError that lists the names.
  [[nodiscard]] Enum parse(std::string_view name) const {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& known) { return known.second == name; });
    if (row != rows.end()) return row->first;
    std::string known;
    for (const auto& [value, text] : rows) known += (known.empty() ? "" : ", ") + std::string(text);
    throw UserError(std::string(what) + " '" + std::string(name) + "' is unknown; known: " + known);
  }
};

}  // namespace robust_kbench
