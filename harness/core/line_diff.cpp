#include "core/line_diff.hpp"

#include <algorithm>
#include <cstdint>

// The dtl library of Debian has this, too. It would be a package that all builds need in place of
// these lines. The program `diff` would need a process and two files.
namespace robust_kbench {
namespace {

constexpr std::size_t context = 3;  // lines, as diff's
constexpr std::size_t largest_table = 100'000'000 / sizeof(std::uint32_t);

using Lines = std::vector<std::string_view>;

// Each line keeps its newline, which the last may lack.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// The length of the longest common subsequence of the lines from i on and those from j on.
class CommonLengths {
 public:
  CommonLengths(const Lines& before, const Lines& after)
      : m_columns(after.size() + 1), m_lengths((before.size() + 1) * m_columns) {
    for (std::size_t i = before.size(); i-- > 0;) {
      for (std::size_t j = after.size(); j-- > 0;) {
        m_lengths[i * m_columns + j] =
            before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  [[nodiscard]] std::uint32_t at(std::size_t i, std::size_t j) const {
    return m_lengths[i * m_columns + j];
  }

 private:
  std::size_t m_columns;
  std::vector<std::uint32_t> m_lengths;
};

void add(std::vector<LineEdit>& edits, char mark, Lines::const_iterator from,
         Lines::const_iterator to) {
  for (; from != to; ++from) edits.push_back({mark, *from});
}

void add_shortest(std::vector<LineEdit>& edits, const Lines& before, const Lines& after) {
  if ((before.size() + 1) * (after.size() + 1) > largest_table) {
    add(edits, '-', before.begin(), before.end());
    add(edits, '+', after.begin(), after.end());
    return;
  }
  const CommonLengths lengths(before, after);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      edits.push_back({' ', before[i++]});
      ++j;
    } else if (j == after.size() ||
               (i < before.size() && lengths.at(i + 1, j) >= lengths.at(i, j + 1))) {
      edits.push_back({'-', before[i++]});
    } else {
      edits.push_back({'+', after[j++]});
    }
  }
}

std::vector<LineEdit> edits_between(const Lines& before, const Lines& after) {
  const auto start = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  const auto end = std::mismatch(before.rbegin(), std::make_reverse_iterator(start.first),
                                 after.rbegin(), std::make_reverse_iterator(start.second));
  std::vector<LineEdit> edits;
  add(edits, ' ', before.begin(), start.first);
  add_shortest(edits, Lines(start.first, end.first.base()), Lines(start.second, end.second.base()));
  add(edits, ' ', end.first.base(), before.end());
  return edits;
}

// Counts the lines of one text among the edits. `other` marks the lines of the other text alone.
std::size_t count(const std::vector<LineEdit>& edits, std::size_t begin, std::size_t end,
                  char other) {
  return static_cast<std::size_t>(
      std::count_if(edits.begin() + static_cast<std::ptrdiff_t>(begin),
                    edits.begin() + static_cast<std::ptrdiff_t>(end),
                    [other](const LineEdit& edit) { return edit.mark != other; }));
}

// A range as "-3,7". By diff's convention an empty range begins at the line before it.
std::string range(const std::vector<LineEdit>& edits, std::size_t begin, std::size_t end,
                  char mark) {
  const char other = mark == '-' ? '+' : '-';
  const std::size_t length = count(edits, begin, end, other);
  const std::size_t first = count(edits, 0, begin, other) + (length == 0 ? 0 : 1);
  return mark + std::to_string(first) + "," + std::to_string(length);
}

std::string hunk(const std::vector<LineEdit>& edits, std::size_t begin, std::size_t end) {
  std::string text =
      "@@ " + range(edits, begin, end, '-') + " " + range(edits, begin, end, '+') + " @@\n";
  for (std::size_t i = begin; i < end; ++i) {
    text += edits[i].mark;
    text += edits[i].line;
    if (!edits[i].line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  }
  return text;
}

// The index after the last edit that belongs to the hunk whose first change is at `first`.
std::size_t end_of_hunk(const std::vector<LineEdit>& edits, std::size_t first) {
  std::size_t last = first;
  for (std::size_t i = first; i < edits.size() && i <= last + 2 * context + 1; ++i) {
    if (edits[i].mark != ' ') last = i;
  }
  return std::min(last + 1 + context, edits.size());
}

}  // namespace

std::vector<LineEdit> line_edits(std::string_view before, std::string_view after) {
  return edits_between(lines_of(before), lines_of(after));
}

std::string unified_diff(std::string_view before_name, std::string_view before,
                         std::string_view after_name, std::string_view after) {
  const std::vector<LineEdit> edits = line_edits(before, after);
  std::string hunks;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].mark == ' ') continue;
    const std::size_t end = end_of_hunk(edits, i);
    hunks += hunk(edits, i - std::min(i, context), end);
    i = end - 1;
  }
  if (hunks.empty()) return {};
  return "--- " + std::string(before_name) + "\n+++ " + std::string(after_name) + "\n" + hunks;
}

}  // namespace robust_kbench
