#include "command/versions.hpp"

#include <cctype>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "core/manifest.hpp"
#include "core/text_file.hpp"
#include "core/version.hpp"
#include "process/command.hpp"
#include "process/escape.hpp"
#include "tensor/torch_facts.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Whether the text has a number such as 12.2.
bool has_version_number(std::string_view text) {
  const auto is_digit = [&](size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  for (size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    if (dot > 0 && is_digit(dot - 1) && is_digit(dot + 1)) return true;
  }
  return false;
}

// Returns the first line of --version that has a number such as 12.2: "g++ (Debian 12.2.0-14)
// 12.2.0", or "Cuda compilation tools, release 13.0, V13.0.48".
std::string compiler_version(const std::string& compiler) {
  if (!std::filesystem::exists(compiler)) return "missing: " + compiler;
  const CommandResult result = run_command({compiler, "--version"}, std::chrono::seconds{20});
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    if (has_version_number(line)) {
      return fmt::format("{} at {}", escaped_line(line), compiler);
    }
  }
  return "unknown, at " + compiler;
}

// The build writes its commit beside the manifest, where its sources are a repository.
std::string commit_words(const std::filesystem::path& manifest) {
  const std::string commit = read_text(manifest.parent_path() / "commit").value_or("");
  return commit.empty() ? "" : ", commit " + commit.substr(0, commit.find('\n'));
}

}  // namespace

std::string versions_text(const Program& program) {
  const std::filesystem::path file = manifest_file(program.manifest_path);
  std::string text =
      fmt::format("rkb {}{}\ntorch {}\n", rkb_version(), commit_words(file), torch_version());
  if (!std::filesystem::exists(file)) return text;
  const Toolchain toolchain = load_manifest(file).toolchain;
  return text + fmt::format("compiler {}\nCUDA {}\n", compiler_version(toolchain.cxx),
                            toolchain.nvcc.empty() ? "none" : compiler_version(toolchain.nvcc));
}

}  // namespace robust_kbench
