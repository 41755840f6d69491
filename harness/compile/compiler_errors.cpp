#include "compile/compiler_errors.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <regex>
#include <sstream>
#include <string_view>

#include "core/utf8.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t longest_complaint = 2000;  // bytes; matching a pattern takes stack for each

// The number at the beginning of the text and its length, which is 0 if there is none.
std::pair<int, std::size_t> number_at(std::string_view text) {
  int number = 0;
  const char* end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  return {number, static_cast<std::size_t>(end - text.data())};
}

// The rest of a text that begins with ": " and spaces.
std::optional<std::string_view> behind_colon(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ', 1);
  if (!text.starts_with(": ") || begin == std::string_view::npos) return std::nullopt;
  return text.substr(begin);
}

// The text after "error: ", "fatal error: " or "error #20-D: ".
std::string error_text(const std::string& text) {
  static const std::regex error(R"(^(?:catastrophic |fatal )?error *(?:#?[-\w]+)? *: +)");
  std::smatch match;
  return std::regex_search(text, match, error) ? match.suffix().str() : std::string();
}

// The complaint of a linker, ptxas or nvcc itself, which names no line of a source.
std::string complaint_in(const std::string& line) {
  static const std::regex complaint(
      R"(^(?:ptxas|nvcc|nvlink|cc1plus)\b.*?\b(?:fatal|error) *: +(.*)$)");
  static const std::regex time(R"(^(the compiler ran longer than .*)$)");
  static const std::regex half(R"(^(Half operators are switched off by .*)$)");
  static const std::regex undefined(R"(.*\b(undefined reference to .*|undefined symbol.*))");
  static const std::regex linker(R"(^(?:.*/)?ld(?:\.\w+)?: +(?!.*: in function )(.*)$)");
  std::smatch match;
  const std::string cut(utf8_prefix(line, longest_complaint));
  for (const std::regex* pattern : {&complaint, &time, &half, &undefined, &linker}) {
    if (std::regex_match(cut, match, *pattern)) return match[1];
  }
  return {};
}

void append_identifiers(std::vector<std::string>& to, const std::string& text) {
  static const std::regex identifier("[A-Za-z_][A-Za-z0-9_]*");
  for (std::sregex_iterator at(text.begin(), text.end(), identifier), end; at != end; ++at) {
    to.push_back(at->str());
  }
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The place is the first match in the line, since file names may hold brackets.
std::optional<PlacedLine> placed_line(const std::string& line) {
  if (line.empty() || std::isspace(static_cast<unsigned char>(line.front())) != 0) {
    return std::nullopt;
  }
  for (std::size_t at = line.find_first_of(":(", 1); at != std::string::npos;
       at = line.find_first_of(":(", at + 1)) {
    std::string_view rest = std::string_view(line).substr(at + 1);
    const auto [number, digits] = number_at(rest);
    if (digits == 0) continue;
    rest.remove_prefix(digits);
    if (line[at] == '(') {
      if (!rest.starts_with(')')) continue;
      rest.remove_prefix(1);
    } else if (rest.starts_with(':')) {
      rest.remove_prefix(
          number_at(rest.substr(1)).second == 0 ? 0 : 1 + number_at(rest.substr(1)).second);
    }
    if (const auto text = behind_colon(rest)) {
      return PlacedLine{line.substr(0, at), number, std::string(*text)};
    }
  }
  return std::nullopt;
}

std::string error_in(const std::string& line) {
  const auto placed = placed_line(line);
  return placed ? error_text(placed->text) : complaint_in(line);
}

bool misses_a_name(const std::string& error) {
  static const std::regex missing(
      "is not a member|has no (actual )?member|has not been declared|does not name a|"
      "was not declared|is undefined|must be a (class or )?namespace|is not a template|"
      "is not a namespace-name|incomplete type|must .*include <typeinfo>|before using 'typeid'");
  return std::regex_search(error, missing);
}

std::vector<std::string> quoted_identifiers(const std::string& error) {
  const std::string told = error.substr(0, error.find("; did you mean"));
  static const std::regex quoted("(?:'|\"|\u2018)([^'\"\u2019]*)(?:'|\"|\u2019)");
  std::vector<std::string> found;
  for (std::sregex_iterator at(told.begin(), told.end(), quoted), end; at != end; ++at) {
    append_identifiers(found, (*at)[1]);
  }
  return found;
}

std::vector<std::string> missed_names(const std::string& compiler_output) {
  const std::vector<std::string> lines = lines_of(compiler_output);
  std::vector<std::string> missed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string error = error_in(lines[i]);
    if (!misses_a_name(error)) continue;
    const std::vector<std::string> names = quoted_identifiers(error);
    // The kernel's own class lacks this member, so no header can have it.
    const bool own_member = error.find("has no ") != std::string::npos &&
                            std::find(names.begin(), names.end(), "std") == names.end();
    if (!own_member) missed.insert(missed.end(), names.begin(), names.end());
    if (error.starts_with("name followed by \"::\"") && i + 1 < lines.size()) {
      append_identifiers(missed, lines[i + 1]);
    }
  }
  std::erase(missed, "std");
  return missed;
}

}  // namespace robust_kbench
