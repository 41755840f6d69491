#include "compile/fallback.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The text after "error: ". What comes before is a place, which differs between two attempts.
std::string error_in(const std::string& line) {
  static const std::regex error(R"(\b(fatal )?error( #?[0-9-]+[-a-zA-Z]*)?: )");
  std::smatch match;
  return std::regex_search(line, match, error) ? match.suffix().str() : std::string();
}

bool is_file_of_torch(const std::string& header, const TorchToolchain& torch) {
  return std::any_of(
      torch.include_directories.begin(), torch.include_directories.end(),
      [&](const std::string& directory) { return fs::is_regular_file(directory + "/" + header); });
}

// True if one of torch's headers matches the pattern.
bool is_in_torch(const std::regex& pattern, const std::string& literal,
                 const TorchToolchain& torch) {
  const fs::path root = torch.include_directories.front();
  std::error_code ignored;
  for (const char* part : {"ATen", "c10", "torch"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / part, ignored)) {
      if (entry.path().extension() != ".h") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string content = text.str();
      if (content.find(literal) != std::string::npos && std::regex_search(content, pattern)) {
        return true;
      }
    }
  }
  return false;
}

bool knows_name(const std::string& name, const TorchToolchain& torch) {
  return is_in_torch(std::regex("\\b" + name + "\\b"), name, torch);
}

bool knows_macro(const std::string& name, const TorchToolchain& torch) {
  return is_in_torch(std::regex("#[ \t]*define[ \t]+" + name + "\\b"), name, torch);
}

// The identifiers that the error quotes, without those that the compiler proposes instead.
std::vector<std::string> quoted_identifiers(const std::string& error) {
  const std::string told = error.substr(0, error.find("; did you mean"));
  static const std::regex quoted("(?:'|\"|\u2018)([^'\"\u2019]*)(?:'|\"|\u2019)");
  static const std::regex identifier("[A-Za-z_][A-Za-z0-9_]*");
  std::vector<std::string> found;
  for (std::sregex_iterator at(told.begin(), told.end(), quoted), end; at != end; ++at) {
    const std::string text = (*at)[1];
    for (std::sregex_iterator word(text.begin(), text.end(), identifier); word != end; ++word) {
      found.push_back(word->str());
    }
  }
  return found;
}

bool torch_has(const std::string& error, const TorchToolchain& torch) {
  static const std::regex file("^([^ ]+): No such file or directory");
  static const std::regex undeclared(
      "is not a member|has no (actual )?member|has not been declared|does not name a|"
      "was not declared|is undefined|must be a (class or )?namespace|is not a template");
  static const std::set<std::string> torchs{"at", "c10", "torch", "py", "pybind11", "rkb"};
  static const std::set<std::string> filler{"class", "struct", "const", "Tensor"};
  static const std::regex macro("[A-Z][A-Z0-9]*_[A-Z0-9_]+");
  std::smatch match;
  if (std::regex_search(error, match, file)) return is_file_of_torch(match[1], torch);
  if (!std::regex_search(error, undeclared)) return false;
  const std::vector<std::string> names = quoted_identifiers(error);
  const bool in_torch = std::any_of(
      names.begin(), names.end(), [&](const std::string& name) { return torchs.count(name) > 0; });
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    if (torchs.count(name) > 0 || filler.count(name) > 0) return false;
    if (in_torch) return knows_name(name, torch);
    // A name without a namespace need not be torch's. Only macros count.
    return std::regex_match(name, macro) && knows_macro(name, torch);
  });
}

// Nvcc's front end does not name a namespace that it does not know, but shows the line.
bool lacks_namespace(const std::vector<std::string>& lines, std::size_t index,
                     const TorchToolchain& torch) {
  static const std::regex inner(R"(\b(at|c10|torch)::(\w+)::)");
  std::smatch match;
  return error_in(lines[index]).starts_with("name followed by \"::\" must be") &&
         index + 1 < lines.size() && std::regex_search(lines[index + 1], match, inner) &&
         knows_name(match[2], torch);
}

// An overload that is not there, of a function that the shim has: the error names the function,
// or the notes after it do.
bool lacks_overload(const std::vector<std::string>& lines, std::size_t index) {
  static const std::regex no_match(
      "no matching (member )?function|no instance of|too (many|few) arguments");
  static const std::regex shims(R"(\brkb::(\w+::)*\w+[("])");
  if (!std::regex_search(error_in(lines[index]), no_match)) return false;
  if (std::regex_search(lines[index], shims)) return true;
  for (std::size_t i = index + 1; i < lines.size() && error_in(lines[i]).empty(); ++i) {
    if (std::regex_search(lines[i], shims)) return true;
  }
  return false;
}

}  // namespace

bool torch_has_what_is_missing(const std::string& compiler_output, const TorchToolchain& torch) {
  const std::vector<std::string> lines = lines_of(compiler_output);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string error = error_in(lines[i]);
    if (error.empty()) continue;
    if (torch_has(error, torch) || lacks_overload(lines, i) || lacks_namespace(lines, i, torch)) {
      return true;
    }
  }
  return false;
}

std::string neither_compiles(const std::string& shim_reason, const std::string& torch_reason) {
  constexpr std::size_t shown = 5;
  const std::vector<std::string> lines = lines_of(torch_reason);
  const bool has_errors = std::any_of(
      lines.begin(), lines.end(), [](const std::string& line) { return !error_in(line).empty(); });
  std::set<std::string> known;
  for (const std::string& line : lines_of(shim_reason)) known.insert(error_in(line));
  std::vector<std::string> further;
  for (const std::string& line : lines) {
    const std::string error = error_in(line);
    // A linker's complaint, or that there was no time, has no such word.
    if (has_errors ? !error.empty() && known.insert(error).second : true) further.push_back(line);
  }
  further.resize(std::min(further.size(), shown));
  std::string reason = shim_reason;
  if (!reason.ends_with('\n')) reason += '\n';
  reason +=
      "Torch has what is missing, but over torch's own headers the kernel does not compile "
      "either";
  reason += further.empty() ? "." : ":";
  for (const std::string& line : further) reason += "\n" + line;
  return reason + "\n";
}

}  // namespace robust_kbench
