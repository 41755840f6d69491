#include "core/line_merge.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/line_diff.hpp"

namespace robust_kbench {
namespace {

// Replaces the lines of the base from `begin` to `end` by `text`.
struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;

  friend bool operator==(const Change&, const Change&) = default;
};

std::vector<Change> changes_between(std::string_view base, std::string_view changed) {
  std::vector<Change> changes;
  std::size_t line = 0;  // index in the base
  bool is_open = false;
  for (const LineEdit& edit : line_edits(base, changed)) {
    if (edit.mark == ' ') {
      is_open = false;
      ++line;
      continue;
    }
    if (!is_open) changes.push_back({.begin = line, .end = line, .text = {}});
    is_open = true;
    if (edit.mark == '+') changes.back().text += edit.line;
    if (edit.mark == '-') changes.back().end = ++line;
  }
  return changes;
}

bool collide(const Change& one, const Change& other) {
  if (one.begin == other.begin && one.begin == one.end && other.begin == other.end) return true;
  return one.begin < other.end && other.begin < one.end;
}

std::vector<std::string_view> lines_of_base(std::string_view base) {
  std::vector<std::string_view> lines;
  for (const LineEdit& edit : line_edits(base, base)) lines.push_back(edit.line);
  return lines;
}

}  // namespace

std::optional<std::string> merged(std::string_view base, std::string_view one,
                                  std::string_view other) {
  std::vector<Change> all = changes_between(base, one);
  for (Change& change : changes_between(base, other)) {
    if (std::ranges::find(all, change) != all.end()) continue;
    const auto collides = [&](const Change& known) { return collide(known, change); };
    if (std::ranges::any_of(all, collides)) return std::nullopt;
    all.push_back(std::move(change));
  }
  // At the same line, insertions come before replacements.
  std::ranges::sort(all, {},
                    [](const Change& change) { return std::pair(change.begin, change.end); });
  const std::vector<std::string_view> lines = lines_of_base(base);
  std::string text;
  std::size_t next = 0;
  const auto keep_until = [&](std::size_t end) {
    for (; next < end; ++next) text += lines[next];
  };
  for (const Change& change : all) {
    keep_until(change.begin);
    text += change.text;
    next = change.end;
  }
  keep_until(lines.size());
  return text;
}

}  // namespace robust_kbench
