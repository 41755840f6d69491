#include "compile/compiler_enclosure.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "compile/append.hpp"
#include "compile/quoted_headers.hpp"
#include "core/kernel_places.hpp"
#include "process/environment.hpp"
#include "process/sandbox_facts.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

// A compiler's parts lie beside bin/, even if bin/ holds only a link to the compiler.
void add_installation(const std::string& program, Paths& paths) {
  if (program.empty()) return;
  std::error_code ignored;
  for (const fs::path& path : {fs::path(program), fs::canonical(program, ignored)}) {
    if (path.is_absolute()) paths.push_back(installation_place(path));
  }
}

void add_listed(const char* variable, Paths& paths) {
  const char* value = std::getenv(variable);
  std::istringstream list(value == nullptr ? "" : value);
  for (std::string path; std::getline(list, path, ':');) {
    if (path.starts_with("/")) paths.push_back(path);
  }
}

Paths toolchain_places(const Toolchain& toolchain) {
  Paths paths{toolchain.kernel_include, toolchain.shim, toolchain.torch.kernel_include,
              toolchain.torch.shim, fs::path(toolchain.worker).parent_path() / "rkb_nvcc_halves"};
  add_installation(toolchain.cxx, paths);
  add_installation(toolchain.nvcc, paths);
  append(paths, toolchain.torch.include_directories);
  append(paths, toolchain.torch.libraries);
  append(paths, toolchain.torch.cuda_libraries);
  append(paths, toolchain.torch.library_directories);
  for (const char* variable : {"LD_LIBRARY_PATH", "LIBRARY_PATH", "COMPILER_PATH", "CPATH",
                               "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    add_listed(variable, paths);
  }
  std::erase(paths, "");
  return paths;
}

// A sandbox that shows no places but the system's.
std::optional<Enclosure> writing_in(const fs::path& scratch, const std::string& worker) {
  const std::string program = sandbox_beside(worker);
  if (program.empty()) return std::nullopt;
  SandboxPolicy policy = sandbox_policy(Enclosed::compiler, false, sandbox_facts(program));
  policy.writable = {scratch};
  return Enclosure{program, std::move(policy)};
}

}  // namespace

std::optional<Enclosure> compiler_enclosure(const KernelSource& kernel, const Toolchain& toolchain,
                                            const fs::path& scratch, const std::string& tool) {
  std::optional<Enclosure> enclosure = writing_in(scratch, toolchain.worker);
  if (!enclosure) return std::nullopt;
  enclosure->policy.without_devices = true;
  Paths& readable = enclosure->policy.readable;
  readable = toolchain_places(toolchain);
  add_installation(tool, readable);
  append(readable, source_places(kernel));
  for (const fs::path& file : quoted_files(kernel)) {
    if (is_header(file)) readable.push_back(file);
  }
  return enclosure;
}

std::optional<Enclosure> library_reader_enclosure(const std::string& tool,
                                                  const std::string& library,
                                                  const std::string& worker,
                                                  const fs::path& scratch) {
  std::optional<Enclosure> enclosure = writing_in(scratch, worker);
  if (!enclosure) return std::nullopt;
  enclosure->policy.readable = {library};
  add_installation(tool, enclosure->policy.readable);
  return enclosure;
}

Paths compiler_environment(const fs::path& scratch) {
  Paths environment = named_variables(
      {"PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "CPATH",
       "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
       "NVCC_CCBIN", "SOURCE_DATE_EPOCH", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"});
  append(environment, {"HOME=" + scratch.string(), "TMPDIR=" + scratch.string()});
  return environment;
}

}  // namespace robust_kbench
