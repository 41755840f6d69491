#include "report/github_commands.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/seed.hpp"
#include "core/utf8.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// The escapes of https://github.com/actions/toolkit, packages/core/src/command.ts.
std::string escaped_data(std::string_view text, bool is_property) {
  std::string data;
  for (const char c : text) {
    const bool ends_property = is_property && (c == ':' || c == ',');
    if (c == '%' || c == '\r' || c == '\n' || ends_property) {
      data += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      data += c;
    }
  }
  return data;
}

}  // namespace

std::string workflow_command(const Annotation& annotation) {
  constexpr std::size_t most_bytes = 4000;  // a page of text; GitHub cuts messages at 64 KB
  std::string properties = "title=" + escaped_data(annotation.title, true);
  if (!annotation.file.empty()) properties += ",file=" + escaped_data(annotation.file, true);
  return fmt::format("::{} {}::{}\n",
                     annotation.level == Annotation::Level::error ? "error" : "warning", properties,
                     escaped_data(utf8_prefix(annotation.message, most_bytes), false));
}

CommandsOff::CommandsOff(std::ostream& out, std::ostream& err)
    : m_out(out), m_word(fmt::format("rkb-{:016x}{:016x}", secret_key(), secret_key())) {
  for (std::ostream* const stream : {&err, &out}) {
    *stream << "::stop-commands::" << m_word << "\n" << std::flush;
  }
}

CommandsOff::~CommandsOff() {
  m_out << "::" << m_word << "::\n" << std::flush;
}

void annotate(std::ostream& out, std::vector<Annotation> worst_first) {
  if (worst_first.size() > most_annotations) {
    const std::size_t left_out = worst_first.size() - (most_annotations - 1);
    worst_first.resize(most_annotations - 1);
    worst_first.push_back({.level = Annotation::Level::warning,
                           .title = "rkb",
                           .message = fmt::format("{} more are in the step's summary", left_out)});
  }
  for (const Annotation& annotation : worst_first) out << workflow_command(annotation);
  out << std::flush;
}

void add_to_step_summary(const std::string& markdown, std::ostream& err) {
  constexpr std::size_t most_bytes = 1U << 20;
  const char* const file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr) {
    err << "no summary of this step: GITHUB_STEP_SUMMARY is not set, as it is in GitHub Actions\n";
    return;
  }
  std::error_code none;
  const std::uintmax_t before = fs::exists(file) ? fs::file_size(file, none) : 0;
  const std::string cut = "\n\nThe rest is cut, since GitHub takes 1 MiB of a step's summary.\n";
  const std::size_t room = before + cut.size() < most_bytes ? most_bytes - before - cut.size() : 0;
  const std::string text =
      markdown.size() <= room ? markdown : std::string(utf8_prefix(markdown, room)) + cut;
  std::ofstream summary(file, std::ios::app);
  summary << text << std::flush;
  if (!summary) {
    err << "no summary of this step: the file of GITHUB_STEP_SUMMARY, " << file
        << ", cannot be written\n";
  }
}

std::string path_in_repository(const std::string& path) {
  if (path.empty()) return "";
  const char* const workspace = std::getenv("GITHUB_WORKSPACE");
  std::error_code error;
  const fs::path root = workspace != nullptr ? fs::path(workspace) : fs::current_path(error);
  const fs::path inside = fs::absolute(path, error).lexically_relative(root);
  return inside.empty() || *inside.begin() == ".." ? "" : inside.string();
}

}  // namespace robust_kbench
