#include "compile/compiler_errors.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace robust_kbench {
namespace {

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

std::string error_in(const std::string& line) {
  static const std::regex error(R"(\b(fatal )?error( #?[0-9-]+[-a-zA-Z]*)?: )");
  std::smatch match;
  return std::regex_search(line, match, error) ? match.suffix().str() : std::string();
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
    // A class of the kernel's own lacks a member that nobody else has.
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
