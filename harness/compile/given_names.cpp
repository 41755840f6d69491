#include "compile/given_names.hpp"

#include <cctype>
#include <regex>
#include <sstream>
#include <string_view>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// A path may begin after a space, a quote or a bracket, but not in the middle of another path.
void erase_where_a_path_begins(std::string& text, const std::string& prefix) {
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
    const unsigned char before = at == 0 ? ' ' : static_cast<unsigned char>(text[at - 1]);
    const bool within =
        std::isalnum(before) != 0 || before == '_' || before == '.' || before == '/';
    within ? ++at : (text.erase(at, prefix.size()), at);
  }
}

// The made module's file includes the user's, which the compiler repeats before each error.
std::string without_inclusion(const std::string& text, const std::string& made) {
  const std::regex inclusion("(In file included|) +from " + made + ":[0-9]+(:[0-9]+)?[:,]");
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, inclusion)) {
      lines.push_back(line);
    } else if (found[1].length() == 0 && !lines.empty() && lines.back().ends_with(',')) {
      lines.back().back() = ':';
    }
  }
  std::string kept;
  for (const std::string& line : lines) kept += line + "\n";
  return kept;
}

}  // namespace

std::string object_name(std::size_t source) {
  return "source_" + std::to_string(source) + ".o";
}

std::string in_given_names(std::string text, const KernelSource& kernel,
                           const std::optional<EntryModule>& made, const fs::path& scratch) {
  replace_all(text, (scratch / "kernel.so").string(), "the kernel");
  replace_all(text, scratch.string() + "/", "");
  // Temporary files of gcc and nvcc have random names.
  text = std::regex_replace(text, std::regex("\\bcc[A-Za-z0-9]{6}[.]s\\b"), "<assembly>");
  text = std::regex_replace(text, std::regex("tmpxft_[0-9a-f]+_[0-9a-f]+-[0-9]+_"), "");
  if (made) {
    const fs::path source = kernel.sources.at(made->source);
    text = without_inclusion(text, made->name);
    replace_all(text, made->name, source.string());
    replace_all(text, fs::path(made->name).stem().string(), source.stem().string());
  }
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    replace_all(text, object_name(i), kernel.sources[i]);
  }
  if (kernel.named_in.size() > 1) erase_where_a_path_begins(text, kernel.named_in + "/");
  for (const char* symbol : {"rkb_kernel_module", "rkb_module_body"}) {
    replace_all(text, symbol, "PYBIND11_MODULE");
  }
  return text;
}

std::string with_sources_of_modules(std::string text, const KernelSource& kernel) {
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    const std::string& source = kernel.sources[i];
    replace_all(text, made_file_name(source, i), fs::path(source).filename().string());
  }
  return text;
}

}  // namespace robust_kbench
