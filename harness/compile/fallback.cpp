#include "compile/fallback.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "compile/compiler_errors.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

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

bool torch_has(const std::string& error, const TorchToolchain& torch) {
  static const std::regex file("^([^ ]+): No such file or directory");
  static const std::set<std::string> torchs{"at", "c10", "torch", "rkb"};
  static const std::set<std::string> filler{"class", "struct", "const", "Tensor"};
  static const std::regex macro("[A-Z][A-Z0-9]*_[A-Z0-9_]+");
  std::smatch match;
  if (std::regex_search(error, match, file)) return is_file_of_torch(match[1], torch);
  if (!misses_a_name(error)) return false;
  const std::vector<std::string> names = quoted_identifiers(error);
  const bool in_torch = std::any_of(
      names.begin(), names.end(), [&](const std::string& name) { return torchs.count(name) > 0; });
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    if (torchs.count(name) > 0 || filler.count(name) > 0) return false;
    if (in_torch) return knows_name(name, torch);
    return std::regex_match(name, macro) && knows_macro(name, torch);
  });
}

// Nvcc's front end does not name an unknown namespace, but shows its line.
bool lacks_namespace(const std::vector<std::string>& lines, std::size_t index,
                     const TorchToolchain& torch) {
  static const std::regex inner(R"(\b(at|c10|torch)::(\w+)::)");
  std::smatch match;
  return error_in(lines[index]).starts_with("name followed by \"::\" must be") &&
         index + 1 < lines.size() && std::regex_search(lines[index + 1], match, inner) &&
         knows_name(match[2], torch);
}

// Whether an unqualified name is missing that torch declares. The line must call it, use it as a
// namespace or declare something of that type. A call finds torch's functions by its arguments.
bool lacks_plain_name(const std::vector<std::string>& lines, std::size_t index,
                      const DeclaredByTorch& declared) {
  static const std::regex plain(
      "^('|\"|\u2018|identifier \")\\w+('|\"|\u2019) "
      "(was not declared|has not been declared|does not name a|is undefined|is not a namespace)|"
      "^there are no arguments to ");
  const std::string error = error_in(lines[index]);
  if (!std::regex_search(error, plain) || index + 1 >= lines.size()) return false;
  const std::vector<std::string> names = quoted_identifiers(error);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::regex used("\\b" + name + "(\\s*(\\(|<|::)|\\s+[&*]?\\w)");
    return std::regex_search(lines[index + 1], used) && declared().count(name) > 0;
  });
}

// The shim's types and functions. Those of its layer for Python are left out, since they are the
// same over torch's headers.
const char* const shims = R"(\brkb::(?!python::)(\w+::)*\w+)";

// Whether a function of the shim lacks an overload. The error or the notes after it name the
// function.
bool lacks_overload(const std::vector<std::string>& lines, std::size_t index) {
  static const std::regex no_match(
      "no matching (member )?function|no instance of|too (many|few) arguments");
  static const std::regex function(std::string(shims) + R"([("])");
  if (!std::regex_search(error_in(lines[index]), no_match)) return false;
  if (std::regex_search(lines[index], function)) return true;
  for (std::size_t i = index + 1; i < lines.size() && error_in(lines[i]).empty(); ++i) {
    if (std::regex_search(lines[i], function)) return true;
  }
  return false;
}

// Whether a type of the shim lacks an operator. Nvcc names the types in the next line.
bool lacks_operator(const std::vector<std::string>& lines, std::size_t index) {
  static const std::regex no_operator("no match for .{1,3}operator|no operator \"");
  static const std::regex type(shims);
  if (!std::regex_search(error_in(lines[index]), no_operator)) return false;
  return std::regex_search(lines[index], type) ||
         (index + 1 < lines.size() && std::regex_search(lines[index + 1], type));
}

}  // namespace

bool torch_has_what_is_missing(const std::string& compiler_output, const TorchToolchain& torch,
                               const DeclaredByTorch& declared) {
  const std::vector<std::string> lines = lines_of(compiler_output);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string error = error_in(lines[i]);
    if (error.empty()) continue;
    if (torch_has(error, torch) || lacks_overload(lines, i) || lacks_operator(lines, i) ||
        lacks_namespace(lines, i, torch) || lacks_plain_name(lines, i, declared)) {
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
    // Without any known error, all lines are shown.
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
