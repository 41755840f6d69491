#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile.hpp"
#include "compile/compile_cache.hpp"
#include "compile/compile_commands.hpp"
#include "compile/enclosed_compiler.hpp"
#include "compile/entry_module.hpp"
#include "compile/headers.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

// The subject of one compilation, which outlives it.
struct CompileJob {
  const KernelSource& kernel;
  const KernelModule& module;
  const Toolchain& toolchain;
  const CompileOptions& options;

  [[nodiscard]] bool is_cuda() const { return kernel.device == Device::cuda; }
  [[nodiscard]] CompilerLimits limits() const {
    return options.limits.value_or(compiler_limits(kernel.device));
  }
  void tell(const std::string& text) const;  // by CompileOptions::on_progress
};

// Builds a kernel's library in a directory of its own, as often as it takes. Each source becomes an
// object, so that each has its own depfile. Then one command links them.
class LibraryBuild {
 public:
  explicit LibraryBuild(const CompileJob& job);

  BuildRecord build(const Headers& headers, const Attempt& attempt);

  // Runs a compiler with time for these headers. Its output names files as the kernel does.
  CommandResult run(const std::vector<std::string>& command, const Headers& headers);
  // Runs a program that reads the objects, enclosed as a compiler.
  CommandResult inspect(const std::vector<std::string>& command);
  // Lets the compilers also read these files.
  void may_read(const std::vector<std::string>& further);

  // Replaces the library atomically, so that a reader never sees half of it.
  void install(const std::filesystem::path& library) const;
  // Names all files that were read until the compiler stopped, so that a fixed header rebuilds a
  // failed kernel.
  void write_depfile(const std::filesystem::path& depfile, const std::string& target) const;

  // The objects of the last build, by their sources, and the files that were read for them.
  [[nodiscard]] const std::vector<std::string>& objects() const { return m_objects; }
  [[nodiscard]] std::vector<std::filesystem::path> files_read() const;

  [[nodiscard]] const CompileJob& job() const { return m_job; }
  [[nodiscard]] const std::filesystem::path& directory() const { return m_directory.path(); }
  [[nodiscard]] const std::string& compiler() const { return m_compiler; }
  [[nodiscard]] const std::string& version() const { return m_version; }  // with the path
  // The last build's last command took more time, memory or disk than it may.
  [[nodiscard]] bool exceeded() const { return m_exceeded; }
  [[nodiscard]] bool is_cached() const { return m_cache && m_cache->answered_all(); }
  [[nodiscard]] double seconds() const { return m_seconds; }  // of all compilers
  void add_seconds(double seconds) { m_seconds += seconds; }  // of a compiler run elsewhere

 private:
  bool compile_source(const std::string& source, const Headers& headers, const Attempt& attempt,
                      BuildRecord& record);
  CommandResult run_as_it_is(const std::vector<std::string>& command, std::chrono::seconds timeout);
  bool step(const std::vector<std::string>& command, const Headers& headers, BuildRecord& record);
  [[nodiscard]] std::vector<std::string> link_command(const Headers& headers) const;
  [[nodiscard]] std::chrono::seconds timeout(const Headers& headers) const;
  [[nodiscard]] std::string linked() const { return m_directory.path() / "kernel.so"; }

  const CompileJob m_job;
  const std::string m_compiler;
  const std::string m_version;
  TemporaryDirectory m_directory{"compile"};
  std::optional<CompileCache> m_cache;
  EnclosedCompiler m_enclosed;
  std::vector<std::string> m_objects;
  double m_seconds = 0;
  bool m_exceeded = false;
};

}  // namespace robust_kbench
