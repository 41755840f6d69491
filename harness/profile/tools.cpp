#include "profile/tools.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "core/error.hpp"
#include "core/find_program.hpp"
#include "process/command.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct Known {
  const char* name;
  bool of_cuda;
  const char* remedy;
};
constexpr std::array<Known, 5> known{{
    {"ncu", true, "install Nsight Compute (package cuda-nsight-compute)"},
    {"compute-sanitizer", true, "install the CUDA toolkit's package cuda-sanitizer"},
    {"ptxas", true, "install the CUDA toolkit's package cuda-nvcc"},
    {"cuobjdump", true, "install the CUDA toolkit's package cuda-cuobjdump"},
    {"clang-tidy", false, "install the package clang-tidy"},
}};

// The directories of the toolkit's tools, then those of Nsight Compute's own packages, newest
// first.
std::vector<fs::path> directories_of_cuda(const std::string& nvcc) {
  std::vector<fs::path> directories;
  if (!nvcc.empty()) {
    const fs::path bin = fs::path(nvcc).parent_path();
    directories = {bin, bin.parent_path() / "compute-sanitizer"};
  }
  std::error_code error;
  std::vector<fs::path> versions;
  for (const auto& entry : fs::directory_iterator("/opt/nvidia/nsight-compute", error)) {
    versions.push_back(entry.path());
  }
  std::sort(versions.rbegin(), versions.rend());
  directories.insert(directories.end(), versions.begin(), versions.end());
  return directories;
}

// The first line of the output with "version" and a digit. Every tool prints such a line.
std::string version_of(const fs::path& program) {
  const CommandResult result = run_command({program, "--version"}, std::chrono::seconds{20});
  std::stringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    std::string lower = line;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool number =
        std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const bool names_it =
        lower.find("version") != std::string::npos || lower.find("release") != std::string::npos;
    if (number && names_it) return escaped(line.substr(line.find_first_not_of(' ')));
  }
  return {};
}

Tool find(const Known& tool, const Toolchain& toolchain) {
  std::vector<fs::path> directories = search_path();
  std::string places = "PATH";
  if (tool.of_cuda) {
    const std::vector<fs::path> cuda = directories_of_cuda(toolchain.nvcc);
    for (const fs::path& directory : cuda) places += ", " + directory.string();
    directories.insert(directories.end(), cuda.begin(), cuda.end());
  }
  if (const fs::path program = find_program(tool.name, directories); !program.empty()) {
    return {.name = tool.name, .path = program, .version = version_of(program), .missing = {}};
  }
  return {.name = tool.name,
          .path = {},
          .version = {},
          .missing = "not in " + places + "; " + tool.remedy};
}

}  // namespace

std::vector<Tool> find_tools(const Toolchain& toolchain) {
  std::vector<Tool> tools;
  tools.reserve(known.size());
  for (const Known& tool : known) tools.push_back(find(tool, toolchain));
  return tools;
}

Tool find_tool(const std::string& name, const Toolchain& toolchain) {
  for (const Known& tool : known) {
    if (tool.name == name) return find(tool, toolchain);
  }
  throw HarnessError("tool '" + name + "' is unknown");
}

}  // namespace robust_kbench
