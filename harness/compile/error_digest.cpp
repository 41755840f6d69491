#include "compile/error_digest.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <utility>

#include "compile/compiler_errors.hpp"
#include "core/kernel_places.hpp"
#include "core/utf8.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t longest_line = 2000;    // bytes; matching a pattern takes stack for each
constexpr std::size_t longest_message = 400;  // bytes; templates are named in thousands
constexpr std::size_t longest_quote = 160;
constexpr std::size_t most_notes = 2;       // of one error
constexpr std::size_t most_lines = 5;       // named for one error
constexpr std::size_t unread_bytes = 2000;  // shown of an output without an error

bool is_source(const std::string& file) {
  return !file.empty() && !is_header(file) && std::filesystem::path(file).has_extension();
}

std::string cut(const std::string& text, std::size_t limit) {
  const std::string shown = first_line(text, limit);
  return shown.size() < text.size() ? shown + "..." : shown;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos
             ? std::string()
             : std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

// The code that gcc and clang show as "   12 |   foo(x);" and nvcc as "      foo(x);". Empty for
// other lines.
std::string quoted_line(const std::string& line) {
  static const std::regex gcc(R"(^ *\d+ \| (.*)$)");
  std::smatch match;
  if (std::regex_match(line, match, gcc)) return trimmed(match[1].str());
  return line.starts_with("  ") ? trimmed(line) : std::string();
}

// The place of a line in a source, as "kernel.cpp:20". Empty for any other file.
std::string place_in_source(const std::string& path, const std::string& line) {
  const std::string file = std::filesystem::path(path).filename();
  return is_source(file) ? file + ":" + line : std::string();
}

// Reads a compiler's output line by line.
class Reader {
 public:
  void read(const std::string& line) {
    const bool follows_error = std::exchange(m_expects_quote, false);
    if (read_origin(line)) return;
    const auto at = placed_line(line);
    const std::string error = error_in(line);
    if (at) {
      read_placed(*at, error);
    } else if (!error.empty()) {
      add({.file = "", .lines = {}, .message = cut(error, longest_message)});
    } else if (follows_error && m_last != nullptr && m_last->quote.empty()) {
      m_last->quote = cut(quoted_line(line), longest_quote);
    }
  }

  std::vector<CompilerError> all() && {
    std::ranges::stable_sort(m_errors, {}, [](const CompilerError& error) {
      if (error.file.empty()) return 2;
      return is_source(error.file) ? 0 : 1;
    });
    return std::move(m_errors);
  }

 private:
  // Reads a line that says through which line of a source a header is compiled.
  bool read_origin(const std::string& line) {
    static const std::regex included(R"(^(In file included from| +from) +([^:]+):(\d+).*)");
    static const std::regex required(
        R"(^([^\s:][^:]*):(\d+):\d+: +(?:recursively )?required (?:from|by) .*)");
    static const std::regex instantiated(
        R"re(^ +(?:detected during|instantiation of).* at line (\d+)(?: of "?([^"]+)"?)?.*)re");
    std::smatch match;
    if (std::regex_match(line, match, included)) {
      if (!line.starts_with(' ')) m_included.clear();
      const std::string place = place_in_source(match[2], match[3]);
      if (!place.empty()) m_included = place;
      return true;
    }
    if (std::regex_match(line, match, required)) {
      const std::string place = place_in_source(match[1], match[2]);
      if (!place.empty()) m_required = place;
      return true;
    }
    if (m_last == nullptr || !std::regex_match(line, match, instantiated)) return false;
    const std::string file = match[2].matched ? match[2].str() : m_last->file;
    const std::string place = place_in_source(file, match[1]);
    if (!place.empty() && !is_source(m_last->file)) m_last->origin = place;
    return true;
  }

  void read_placed(const PlacedLine& at, const std::string& message) {
    const std::string required = std::exchange(m_required, "");
    const std::string file = std::filesystem::path(at.path).filename();
    if (!message.empty()) {
      CompilerError error{
          .file = file, .lines = {at.line}, .message = cut(message, longest_message)};
      if (!is_source(file)) error.origin = required.empty() ? m_included : required;
      add(std::move(error));
      m_expects_quote = true;
    } else if (!at.text.starts_with("note: ")) {
      m_last = nullptr;  // a warning, whose lines follow
    } else if (m_last != nullptr && is_source(file) && m_last->notes.size() < most_notes) {
      m_last->notes.push_back(file + ":" + std::to_string(at.line) + ": " +
                              cut(at.text, longest_quote));
    }
  }

  // Adds an error. If it is known already, only its lines are added.
  void add(CompilerError error) {
    m_last = nullptr;
    for (CompilerError& known : m_errors) {
      if (known.file != error.file || known.message != error.message) continue;
      for (const int line : error.lines) {
        if (std::ranges::find(known.lines, line) == known.lines.end()) known.lines.push_back(line);
      }
      return;
    }
    m_errors.push_back(std::move(error));
    m_last = &m_errors.back();
  }

  std::vector<CompilerError> m_errors;
  CompilerError* m_last = nullptr;  // the error that the next lines are about, or null
  bool m_expects_quote = false;     // for the line of the last error
  std::string m_included;           // line of a source that includes the present header
  std::string m_required;           // line that needs the template of the next error
};

std::string place_of(const CompilerError& error) {
  if (error.file.empty()) return "";
  std::string place = error.file;
  for (std::size_t i = 0; i < std::min(error.lines.size(), most_lines); ++i) {
    place += (i == 0 ? ":" : ", ") + std::to_string(error.lines[i]);
  }
  if (error.lines.size() > most_lines) place += ", ...";
  if (!error.origin.empty()) place += " (from " + error.origin + ")";
  return place + ": ";
}

}  // namespace

std::vector<CompilerError> compiler_errors(std::string_view output) {
  Reader reader;
  for (const std::string& line : lines_of(std::string(output))) {
    reader.read(std::string(utf8_prefix(line, longest_line)));
  }
  return std::move(reader).all();
}

std::string compiler_errors_text(std::string_view output, std::size_t most) {
  const std::vector<CompilerError> errors = compiler_errors(output);
  if (errors.empty()) return std::string(utf8_prefix(output, unread_bytes));
  std::string text;
  for (std::size_t i = 0; i < std::min(errors.size(), most); ++i) {
    const CompilerError& error = errors[i];
    text += place_of(error) + error.message + "\n";
    if (!error.quote.empty()) text += "    " + error.quote + "\n";
    for (const std::string& note : error.notes) text += "  " + note + "\n";
  }
  if (errors.size() > most) {
    text += "and " + std::to_string(errors.size() - most) + " further errors\n";
  }
  return text;
}

}  // namespace robust_kbench
