#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "compile/compiler_limits.hpp"
#include "core/manifest.hpp"
#include "process/command.hpp"

namespace robust_kbench {

// Runs the compilers of a kernel in their sandbox (compile/compiler_enclosure.hpp), if there is
// one. They start in `directory`, and write there alone.
class EnclosedCompiler {
 public:
  // A request to `stop` kills the running compiler, and run() throws Cancelled.
  EnclosedCompiler(const KernelSource& kernel, const Toolchain& toolchain,
                   std::filesystem::path directory, const CompilerLimits& limits,
                   std::stop_token stop);

  // Lets the compilers also read these files, beside those of the kernel and the toolchain.
  void may_read(const KernelSource& kernel, const std::vector<std::string>& further);

  // The sandbox's program, which comes before the command. Empty without a sandbox.
  [[nodiscard]] const std::vector<std::string>& enclosed_by() const { return m_enclosed_by; }
  [[nodiscard]] std::vector<std::string> enclosed(const std::vector<std::string>& command) const;

  // Runs a command as it is, in the compilers' environment and with their limits.
  CommandResult run(const std::vector<std::string>& command, std::chrono::milliseconds timeout);

 private:
  const Toolchain& m_toolchain;
  const std::filesystem::path m_directory;
  const CompilerLimits m_limits;
  const std::stop_token m_stop;
  std::vector<std::string> m_environment;
  std::vector<std::string> m_enclosed_by;
};

}  // namespace robust_kbench
