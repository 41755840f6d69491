#include "verify/compile.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "exec/command.hpp"
#include "exec/temporary_directory.hpp"
#include "exec/worker_process.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

const Arguments cpu_flags{"-std=c++17", "-O3",   "-march=native",
                          "-fopenmp",   "-fPIC", "-fvisibility=hidden"};
// Those of torch's own extension builds, and fast-math, as the paper compiles.
const Arguments cuda_flags{"-std=c++17",
                           "-O3",
                           "--use_fast_math",
                           "-lineinfo",
                           "--expt-relaxed-constexpr",
                           "-D__CUDA_NO_HALF_OPERATORS__",
                           "-D__CUDA_NO_HALF_CONVERSIONS__",
                           "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
                           "-D__CUDA_NO_HALF2_OPERATORS__",
                           "-Xcompiler=-fPIC,-fvisibility=hidden"};

// Of the GPU that is here; without one, of an H100.
int architecture() {
  const int found = cuda_facts().compute_capability;
  return found > 0 ? found : 90;
}

void append(Arguments& to, const Arguments& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_prefixed(Arguments& to, const std::string& prefix, const Arguments& from) {
  for (const std::string& value : from) to.push_back(prefix + value);
}

Arguments compile_flags(const KernelSource& kernel, const Toolchain& toolchain) {
  Arguments flags = kernel.device == "cuda" ? cuda_flags : cpu_flags;
  if (kernel.device == "cuda") flags.push_back("-arch=sm_" + std::to_string(architecture()));
  flags.push_back("-I" + toolchain.kernel_include);
  append_prefixed(flags, "-I", kernel.include_directories);
  append_prefixed(flags, "-D", kernel.definitions);
  flags.push_back("-DTORCH_EXTENSION_NAME=robust_kbench_kernel");
  append(flags, kernel.options);
  return flags;
}

// The prerequisites of a Makefile rule, still escaped, line continuations removed.
std::string prerequisites(const fs::path& rule_file) {
  std::ifstream in(rule_file);
  std::stringstream text;
  text << in.rdbuf();
  std::string rule = text.str();
  for (std::size_t at = 0; (at = rule.find("\\\n", at)) != std::string::npos;) {
    rule.replace(at, 2, " ");
  }
  const std::size_t colon = rule.find(": ");
  if (colon == std::string::npos) return {};
  const std::size_t end = rule.find('\n', colon);
  return rule.substr(colon + 2, end == std::string::npos ? end : end - colon - 2);
}

std::string version_line(const std::string& compiler) {
  const CommandResult result = run_command({compiler, "--version"}, std::chrono::seconds{10});
  return compiler + ": " + result.output.substr(0, result.output.find('\n'));
}

// Why a failed command failed, as a person wants to read it.
std::string reason_of(const CommandResult& result, std::chrono::seconds timeout) {
  std::string reason =
      result.timed_out ? "the compiler ran longer than " + std::to_string(timeout.count()) + " s\n"
                       : std::string();
  return reason + escaped(result.output);
}

// A compiler that fails on a full disk says nothing of the kernel.
void require_space(const fs::path& directory) {
  constexpr std::uintmax_t least = std::uintmax_t{1} << 20;
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error || space.available >= least) return;
  throw HarnessError(
      directory.string() + " has " + std::to_string(space.available) +
      " bytes left and the compiler failed; free some, or set TMPDIR to another disk");
}

// One object per source, so that each has its own depfile, then one link.
class Compilation {
 public:
  Compilation(const KernelSource& kernel, const Toolchain& toolchain, std::chrono::seconds timeout)
      : m_kernel(kernel),
        m_compiler(kernel.device == "cuda" ? toolchain.nvcc : toolchain.cxx),
        m_facade(toolchain.facade),
        m_timeout(timeout),
        m_flags(compile_flags(kernel, toolchain)) {}

  BuildRecord run(const fs::path& library) {
    BuildRecord record{
        .verdict = Verdict::pass, .flags = m_flags, .compiler = version_line(m_compiler)};
    const auto step = [&](const Arguments& command) {
      const CommandResult result = run_command(command, m_timeout, m_directory.path());
      record.compile_seconds += result.seconds;
      if (result.exit_code == 0 && !result.timed_out) return true;
      require_space(m_directory.path());
      record.verdict = Verdict::compile_error;
      record.reason = reason_of(result, m_timeout);
      return false;
    };
    Arguments objects;
    for (const std::string& source : m_kernel.sources) {
      objects.push_back(m_directory.path() / ("source_" + std::to_string(objects.size()) + ".o"));
      if (!step(compile_command(source, objects.back()))) return record;
    }
    const fs::path linked = m_directory.path() / "kernel.so";
    if (!step(link_command(objects, linked))) return record;
    // In one step, so that a reader never sees half a library.
    const fs::path beside = library.string() + ".new";
    fs::create_directories(library.parent_path());
    fs::copy_file(linked, beside, fs::copy_options::overwrite_existing);
    fs::rename(beside, library);
    record.library = library;
    return record;
  }

  // Whatever was read until the compiler stopped, so that a fixed header rebuilds a failed kernel.
  void write_depfile(const fs::path& depfile, const std::string& target) const {
    std::ofstream out(depfile);
    out << target << ":";
    for (const auto& entry : fs::directory_iterator(m_directory.path())) {
      if (entry.path().extension() == ".d") out << " " << prerequisites(entry.path());
    }
    out << "\n";
  }

 private:
  [[nodiscard]] Arguments compile_command(const std::string& source,
                                          const std::string& object) const {
    Arguments command{m_compiler};
    append(command, m_flags);
    append(command, {"-MD", "-MF", object + ".d", "-c", source, "-o", object});
    return command;
  }

  [[nodiscard]] Arguments link_command(const Arguments& objects, const std::string& library) const {
    Arguments command{m_compiler, "-shared"};
    append(command, m_kernel.device == "cuda" ? Arguments{"-Xlinker=-z,now,-z,relro"}
                                              : Arguments{"-fopenmp", "-Wl,-z,now,-z,relro"});
    append(command, objects);
    command.push_back(m_facade);
    append(command, m_kernel.libraries);
    append(command, {"-o", library});
    return command;
  }

  const KernelSource& m_kernel;
  std::string m_compiler;
  std::string m_facade;
  std::chrono::seconds m_timeout;
  Arguments m_flags;
  TemporaryDirectory m_directory{"compile"};
};

}  // namespace

BuildRecord compile(const KernelSource& kernel, const Toolchain& toolchain,
                    const std::string& library, const std::string& depfile,
                    std::chrono::seconds timeout) {
  if (kernel.sources.empty()) {
    throw UserError("kernel '" + kernel.name + "' has no source; give at least one");
  }
  for (const std::string& source : kernel.sources) {
    if (!fs::is_regular_file(source))
      throw UserError("kernel source " + source + " does not exist");
  }
  if (kernel.device == "cuda" && toolchain.nvcc.empty()) {
    return {.verdict = Verdict::skipped, .reason = "no nvcc on this machine"};
  }
  Compilation compilation(kernel, toolchain, timeout);
  BuildRecord record = compilation.run(library);
  if (record.verdict != Verdict::pass) fs::remove(library);
  if (!depfile.empty()) compilation.write_depfile(depfile, kernel.record);
  return record;
}

}  // namespace robust_kbench
