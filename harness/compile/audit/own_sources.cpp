#include "compile/audit/own_sources.hpp"

#include <algorithm>

#include "compile/append.hpp"
#include "core/text_file.hpp"
#include "source/directive.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

std::string normal(const fs::path& path) {
  const std::string name = path.string();
  return name.find("/.") == std::string::npos ? name : path.lexically_normal().string();
}

// The directories of headers that are no kernel's, each with a slash at its end.
std::vector<std::string> places_of(const Toolchain& toolchain, const fs::path& made) {
  std::vector<std::string> places{"/usr", toolchain.kernel_include, toolchain.torch.kernel_include,
                                  made};
  append(places, toolchain.torch.include_directories);
  for (const std::string& compiler : {toolchain.cxx, toolchain.nvcc}) {
    std::error_code ignored;
    const fs::path program = fs::canonical(compiler, ignored);
    const fs::path installed = program.parent_path().parent_path();
    if (installed.has_relative_path()) places.push_back(installed);
  }
  std::erase(places, "");
  for (std::string& place : places) place = normal(place) + "/";
  return places;
}

// Whether a sign of a directive may begin #line. Most files are not cut into tokens for it.
bool may_rename_lines(std::string_view text) {
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    const std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word == std::string_view::npos) return false;
    constexpr std::string_view beginnings = "l\\/0123456789";
    if (beginnings.find(text[word]) != std::string_view::npos) return true;
  }
  return text.find("%:") != std::string_view::npos;
}

// #line 5 "file", and # 5 "file".
bool renames_lines(const Token& token) {
  if (token.kind != TokenKind::directive) return false;
  const std::vector<std::string> words = directive_words(token);
  return !words.empty() && (words.front() == "line" ||
                            words.front().find_first_not_of("0123456789") == std::string::npos);
}

bool renames_lines(const SourceText& file) {
  return may_rename_lines(file.text()) &&
         std::ranges::any_of(file.tokens(),
                             [](const Token& token) { return renames_lines(token); });
}

}  // namespace

SourceText::SourceText(const fs::path& path)
    : m_path(normal(path)), m_text(read_text(path).value_or("")) {}

const std::vector<Token>& SourceText::tokens() const {
  if (!m_tokens) {
    m_tokens = tokenize(m_text);
    std::erase_if(*m_tokens, [](const Token& token) {
      return token.kind == TokenKind::comment || token.kind == TokenKind::space;
    });
  }
  return *m_tokens;
}

OwnSources::OwnSources(const KernelSource& kernel, const Toolchain& toolchain,
                       const std::vector<fs::path>& read, const fs::path& made) {
  for (const std::string& source : kernel.sources) m_files.emplace_back(source);
  const std::vector<std::string> places = places_of(toolchain, made);
  for (const fs::path& path : read) {
    const std::string name = normal(path);
    const bool is_others = std::ranges::any_of(
        places, [&](const std::string& place) { return name.starts_with(place); });
    if (m_read.insert(path.string()).second && !is_others && !holds(name)) {
      m_files.emplace_back(name);
    }
  }
  m_renames_lines =
      std::ranges::any_of(m_files, [](const SourceText& file) { return renames_lines(file); });
}

bool OwnSources::holds(const fs::path& path) const {
  return std::ranges::any_of(m_files, [&](const SourceText& file) { return file.path() == path; });
}

bool OwnSources::has(const std::string& name) const {
  return m_renames_lines || holds(normal(name));
}

// A line's number may follow, as in __FILE__ ":12".
bool OwnSources::names_file(std::string_view text) const {
  return text.starts_with('/') && m_read.contains(text.substr(0, text.find(':')));
}

}  // namespace robust_kbench
