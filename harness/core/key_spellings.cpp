#include "core/key_spellings.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

namespace robust_kbench {
namespace {

// All repeats are bounded, so that no text makes the search long.
constexpr std::size_t most_breaks = 6;
constexpr std::size_t most_backslashes = 8;
constexpr std::size_t most_zeros = 6;
constexpr std::size_t most_percents = 5;    // "%252541" is an A in an address within an address
constexpr std::size_t bytes_in_base64 = 3;  // four base64 characters hold three bytes
constexpr std::string_view base64_letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::size_t run_length(std::string_view text, std::size_t at, char what, std::size_t most) {
  std::size_t n = 0;
  while (n < most && at + n < text.size() && text[at + n] == what) ++n;
  return n;
}

bool stands_at(std::string_view text, std::size_t at, std::string_view what) {
  return at <= text.size() &&
         std::equal(what.begin(), what.end(), text.substr(at, what.size()).begin(),
                    text.substr(at, what.size()).end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

// The end of a number with these digits, or nullopt for another number.
std::optional<std::size_t> end_of_number(std::string_view text, std::size_t at, unsigned value,
                                         int base) {
  std::array<char, 4> digits{};
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  at += run_length(text, at, '0', most_zeros);
  const std::string_view number(digits.data(), static_cast<std::size_t>(end - digits.data()));
  if (!stands_at(text, at, number)) return std::nullopt;
  return at + number.size();
}

std::string two_digits(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {digits[byte / 16], digits[byte % 16]};
}

// Matches "&#65;" or "&#x41;".
std::optional<std::size_t> end_in_html(std::string_view text, std::size_t at, char c) {
  if (!stands_at(text, at, "&#")) return std::nullopt;
  const bool hexadecimal = stands_at(text, at + 2, "x");
  const auto end = end_of_number(text, at + 2 + (hexadecimal ? 1 : 0),
                                 static_cast<unsigned char>(c), hexadecimal ? 16 : 10);
  return end && stands_at(text, *end, ";") ? std::optional(*end + 1) : std::nullopt;
}

// Matches "%41", also if the percent sign is escaped again.
std::optional<std::size_t> end_in_address(std::string_view text, std::size_t at, char c) {
  if (!stands_at(text, at, "%")) return std::nullopt;
  ++at;
  for (std::size_t i = 1; i < most_percents && stands_at(text, at, "25"); ++i) {
    if (stands_at(text, at, two_digits(c))) break;
    at += 2;
  }
  return stands_at(text, at, two_digits(c)) ? std::optional(at + 2) : std::nullopt;
}

// Matches "A", "\A", "\x41", "\u0041" or "\u{41}", with any number of backslashes.
std::optional<std::size_t> end_in_string(std::string_view text, std::size_t at, char c,
                                         bool exactly) {
  const std::size_t slashes = run_length(text, at, '\\', most_backslashes);
  at += slashes;
  if (at >= text.size()) return std::nullopt;
  if (slashes > 0 && stands_at(text, at, "x" + two_digits(c))) return at + 3;
  if (slashes > 0 && stands_at(text, at, "u")) {
    const bool bracket = stands_at(text, at + 1, "{");
    const auto end =
        end_of_number(text, at + 1 + (bracket ? 1 : 0), static_cast<unsigned char>(c), 16);
    if (end) return *end + (bracket && stands_at(text, *end, "}") ? 1 : 0);
  }
  const bool is_it = exactly ? text[at] == c : lower(text[at]) == lower(c);
  return is_it ? std::optional(at + 1) : std::nullopt;
}

// The length of a break between two parts of a text, such as a line's end, plain or escaped; 0:
// none.
std::size_t break_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const std::size_t slashes = run_length(text, at, '\\', most_backslashes);
  if (slashes > 0 && at + slashes < text.size() &&
      std::string_view("nrt").find(text[at + slashes]) != std::string_view::npos) {
    return slashes + 1;
  }
  return std::string_view(" \t\n\r\v\f\"'\\+").find(text[at]) != std::string_view::npos ? 1 : 0;
}

std::string base64_of(const std::string& bytes) {
  std::string text;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += 6) {
    unsigned value = 0;
    for (std::size_t i = bit; i < bit + 6; ++i) {
      const unsigned byte = i / 8 < bytes.size() ? static_cast<unsigned char>(bytes[i / 8]) : 0U;
      value = 2 * value + ((byte >> (7 - i % 8)) & 1U);
    }
    text += base64_letters[value];
  }
  return text;
}

}  // namespace

KeySpellings::KeySpellings(const std::vector<std::string>& keys) {
  // A key may begin with another one, so the longest are removed first.
  std::vector<std::string> longest_first = keys;
  std::erase(longest_first, "");
  std::ranges::stable_sort(longest_first, std::greater(), &std::string::size);
  for (const std::string& key : longest_first) {
    add(Kind::letters, key);
    add(Kind::letters, {key.rbegin(), key.rend()});
    add(Kind::hexadecimal, key);
    for (std::size_t before = 0; before < bytes_in_base64; ++before) {
      const std::string whole = base64_of(std::string(before, '\0') + key);
      // The first characters share bits with the preceding byte, and the last may share some with
      // the following byte.
      const std::size_t begin = (8 * before + 5) / 6;
      const bool open_end = (before + key.size()) % bytes_in_base64 != 0;
      add(Kind::base64, whole.substr(begin, whole.size() - begin - (open_end ? 1 : 0)), open_end);
    }
  }
}

void KeySpellings::add(Kind kind, std::string units, bool open_end) {
  Spelling spelling{.kind = kind, .units = std::move(units), .open_end = open_end};
  if (spelling.units.empty()) return;
  for (unsigned byte = 0; byte < spelling.begins.size(); ++byte) {
    const char c = static_cast<char>(byte);
    const bool escapes = c == '\\' || c == '%' || (c == '&' && kind != Kind::hexadecimal);
    const char first = kind == Kind::hexadecimal ? two_digits(spelling.units.front()).front()
                                                 : spelling.units.front();
    const bool other_base64 =
        kind == Kind::base64 && ((first == '+' && c == '-') || (first == '/' && c == '_'));
    spelling.begins.at(byte) = escapes || lower(c) == lower(first) || other_base64 ||
                               (kind == Kind::hexadecimal && c == '0');
  }
  m_spellings.push_back(std::move(spelling));
}

std::vector<std::size_t> KeySpellings::ends_of_unit(std::string_view text, std::size_t at,
                                                    const Spelling& spelling, char unit) {
  std::vector<std::size_t> ends;
  const auto add = [&](std::optional<std::size_t> end) {
    if (end) ends.push_back(*end);
  };
  if (spelling.kind == Kind::hexadecimal) {
    for (const std::string_view prefix : {"", "0x", "%"}) {
      const std::string byte = std::string(prefix) + two_digits(unit);
      if (stands_at(text, at, byte)) ends.push_back(at + byte.size());
    }
    const std::size_t slashes = run_length(text, at, '\\', most_backslashes);
    if (slashes > 0 && stands_at(text, at + slashes, "x" + two_digits(unit))) {
      ends.push_back(at + slashes + 3);
    }
    return ends;
  }
  const bool in_base64 = spelling.kind == Kind::base64;
  add(end_in_string(text, at, unit, in_base64));
  add(end_in_address(text, at, unit));
  add(end_in_html(text, at, unit));
  if (in_base64 && unit == '+' && stands_at(text, at, "-")) ends.push_back(at + 1);
  if (in_base64 && unit == '/' && stands_at(text, at, "_")) ends.push_back(at + 1);
  return ends;
}

// The length of the key that the text begins with; 0: it begins with none.
std::size_t KeySpellings::length_at(std::string_view text, const Spelling& spelling) {
  std::set<std::size_t> ends{0};  // all places at which the part before may end
  for (std::size_t i = 0; i < spelling.units.size(); ++i) {
    std::set<std::size_t> next;
    for (std::size_t at : ends) {
      for (std::size_t breaks = 0; breaks <= most_breaks; ++breaks) {
        for (const std::size_t end : ends_of_unit(text, at, spelling, spelling.units[i])) {
          next.insert(end);
        }
        if (i == 0) break;
        const bool comma = spelling.kind == Kind::hexadecimal && at < text.size() &&
                           (text[at] == ':' || text[at] == ',');
        const std::size_t length = comma ? 1 : break_at(text, at);
        if (length == 0) break;
        at += length;
      }
    }
    if (next.empty()) return 0;
    ends = std::move(next);
  }
  std::size_t end = *ends.rbegin();
  if (spelling.kind != Kind::base64) return end;
  if (spelling.open_end && end < text.size() &&
      (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
       std::string_view("+/_-").find(text[end]) != std::string_view::npos)) {
    ++end;
  }
  return end + run_length(text, end, '=', 2);
}

std::string KeySpellings::without_keys(std::string_view text) const {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    for (const Spelling& spelling : m_spellings) {
      if (!spelling.begins.at(static_cast<unsigned char>(text[at]))) continue;
      length = std::max(length, length_at(text.substr(at), spelling));
    }
    if (length == 0) {
      result += text[at++];
    } else {
      result += "[key]";
      at += length;
    }
  }
  return result;
}

bool names_a_key(std::string_view variable) {
  return std::ranges::any_of(std::array<std::string_view, 7>{"KEY", "TOKEN", "SECRET", "PASSWORD",
                                                             "PASSWD", "CREDENTIAL", "CREDENTIALS"},
                             [&](std::string_view ending) { return variable.ends_with(ending); });
}

}  // namespace robust_kbench
