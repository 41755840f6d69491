#include "profile/clang_tidy.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "process/escape.hpp"
#include "process/temporary_directory.hpp"
#include "profile/tool_output.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

// Leaves out checks that every kernel would fail. The entry points pass tensors by value and have
// adjacent parameters of one type, and thread indices are unsigned.
constexpr const char* checks =
    "-*,bugprone-*,performance-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,"
    "-bugprone-narrowing-conversions,-bugprone-exception-escape,"
    "-performance-unnecessary-value-param";
constexpr std::string_view clang_error = "clang-diagnostic-error";

struct Diagnostic {
  std::string file;
  int line = 0;
  bool error = false;
  std::string message;
  std::string check;
};

// Parses "kernel.cu:69:34: warning: performing ... [bugprone-implicit-widening]".
bool parse(std::string_view line, Diagnostic& diagnostic) {
  for (const std::string_view kind : {": warning: ", ": error: "}) {
    const std::size_t at = line.find(kind);
    const std::size_t open = line.rfind(" [");
    if (at == std::string_view::npos || open == std::string_view::npos || !line.ends_with("]")) {
      continue;
    }
    const std::string_view place = line.substr(0, at);
    const std::size_t column = place.rfind(':');
    const std::size_t number = place.rfind(':', column - 1);
    if (column == std::string_view::npos || number == std::string_view::npos) continue;
    diagnostic.file = escaped(place.substr(0, number));
    const std::string_view digits = place.substr(number + 1, column - number - 1);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), diagnostic.line).ec !=
        std::errc{}) {
      continue;
    }
    diagnostic.message = escaped(line.substr(at + kind.size(), open - at - kind.size()));
    diagnostic.check = escaped(line.substr(open + 2, line.size() - open - 3));
    diagnostic.error = diagnostic.check == clang_error;
    return true;
  }
  return false;
}

std::vector<Diagnostic> parse_all(std::string_view output) {
  std::vector<Diagnostic> diagnostics;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    if (Diagnostic diagnostic; parse(output.substr(0, end), diagnostic)) {
      diagnostics.push_back(std::move(diagnostic));
    }
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return diagnostics;
}

ToolFinding finding_of(const Diagnostic& diagnostic) {
  return {.tool = "clang-tidy",
          .what = diagnostic.error ? "clang_cannot_read" : diagnostic.check,
          .value = std::nullopt,
          .unit = "",
          .severity = diagnostic.error ? Severity::info : Severity::warning,
          .meaning = diagnostic.message,
          .where = {.file = diagnostic.file, .line = diagnostic.line}};
}

std::vector<ToolFinding> distinct_findings(const std::vector<Diagnostic>& diagnostics) {
  std::vector<ToolFinding> findings;
  for (const Diagnostic& diagnostic : diagnostics) {
    ToolFinding finding = finding_of(diagnostic);
    if (std::find(findings.begin(), findings.end(), finding) == findings.end()) {
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

// The flags of a build that clang knows: standard, macros, directories. Diagnostics in the shim's
// headers are not the kernel's, hence -isystem.
Arguments clang_flags(const Arguments& flags, const Toolchain& toolchain) {
  Arguments kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (flag == "-I" + toolchain.kernel_include || flag == "-I" + toolchain.torch.kernel_include) {
      kept.insert(kept.end(), {"-isystem", flag.substr(2)});
    } else if (flag == "-I" || flag == "-D" || flag == "-isystem" || flag == "-include") {
      kept.push_back(flag);
      if (i + 1 < flags.size()) kept.push_back(flags[++i]);
    } else if (flag.starts_with("-std=") || flag.starts_with("-I") || flag.starts_with("-D") ||
               flag.starts_with("-march=") || flag == "-fopenmp") {
      kept.push_back(flag);
    }
  }
  return kept;
}

fs::path toolkit_of(const Toolchain& toolchain) {
  return fs::weakly_canonical(toolchain.nvcc).parent_path().parent_path();
}

// CUDA 13 dropped the texture headers that clang up to version 19 includes by itself. The guard
// keeps clang's own out, and an empty file stands for NVIDIA's.
Arguments cuda_flags(const Toolchain& toolchain, const fs::path& stand_ins) {
  const fs::path toolkit = toolkit_of(toolchain);
  Arguments flags{"-x",
                  "cuda",
                  "--cuda-host-only",
                  "-nocudalib",
                  "--cuda-path=" + toolkit.string(),
                  "-Wno-unknown-cuda-version"};
  constexpr const char* texture_header = "texture_fetch_functions.h";
  if (!fs::exists(toolkit / "include" / texture_header)) {
    std::ofstream(stand_ins / texture_header).flush();
    flags.insert(flags.end(),
                 {"-isystem", stand_ins.string(), "-D__CLANG_CUDA_TEXTURE_INTRINSICS_H__"});
  }
  return flags;
}

// The text after an "error: " that names no file.
std::string error_without_place(std::string_view output) {
  constexpr std::string_view error = "error: ";
  const std::size_t line = output.find("\nerror: ");
  const std::size_t at = output.starts_with(error)        ? error.size()
                         : line == std::string_view::npos ? output.size()
                                                          : line + 1 + error.size();
  return escaped(output.substr(at, output.find('\n', at) - at));
}

// Clang may reject code that the kernel's own compiler accepts. Then the rest is still checked. If
// it rejects headers of others, none of its output can be trusted.
void require_readable(const ToolOutput& output, const std::vector<Diagnostic>& diagnostics,
                      const std::string& source, const Arguments& directories_of_others) {
  if (const std::string error = error_without_place(output.text); !error.empty()) {
    throw UserError("it cannot read " + source + ": " + error);
  }
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool foreign = std::any_of(
        directories_of_others.begin(), directories_of_others.end(),
        [&](const std::string& directory) { return diagnostic.file.starts_with(directory); });
    if (!diagnostic.error || (!foreign && !diagnostic.message.ends_with("file not found"))) {
      continue;
    }
    throw UserError("it cannot read " + source + ": " + diagnostic.file + ":" +
                    std::to_string(diagnostic.line) + ": " + diagnostic.message);
  }
  if (output.exit_code != 0 && diagnostics.empty()) {
    throw UserError("it failed on " + source + ": " +
                    escaped(output.text.substr(0, output.text.find('\n'))));
  }
}

}  // namespace

std::vector<ToolFinding> clang_tidy_findings(std::string_view output) {
  return distinct_findings(parse_all(output));
}

std::vector<ToolFinding> run_clang_tidy(const KernelSource& kernel, const std::string& clang_tidy,
                                        const Toolchain& toolchain, const Arguments& flags,
                                        const std::stop_token& stop) {
  const TemporaryDirectory scratch("clang_tidy");
  Arguments directories_of_others{"/usr/", toolchain.kernel_include};
  if (!toolchain.torch.kernel_include.empty()) {
    directories_of_others.push_back(toolchain.torch.kernel_include);
  }
  const Arguments& torchs = toolchain.torch.include_directories;
  directories_of_others.insert(directories_of_others.end(), torchs.begin(), torchs.end());
  if (!toolchain.nvcc.empty()) directories_of_others.push_back(toolkit_of(toolchain));
  std::vector<Diagnostic> diagnostics;
  for (const std::string& source : kernel.sources) {
    // An empty configuration, so that no file beside the kernel turns checks off.
    Arguments command{
        clang_tidy,           "--quiet", "--config={}", std::string("--checks=") + checks,
        "--header-filter=.*", source,    "--"};
    if (kernel.device == Device::cuda) {
      const Arguments cuda = cuda_flags(toolchain, scratch.path());
      command.insert(command.end(), cuda.begin(), cuda.end());
    }
    const Arguments kept = clang_flags(flags, toolchain);
    command.insert(command.end(), kept.begin(), kept.end());
    const ToolOutput output = run_tool(command, kernel, toolchain, scratch.path(), stop);
    const std::vector<Diagnostic> found = parse_all(output.text);
    require_readable(output, found, source, directories_of_others);
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  }
  return distinct_findings(diagnostics);
}

}  // namespace robust_kbench
