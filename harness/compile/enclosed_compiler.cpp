#include "compile/enclosed_compiler.hpp"

#include <utility>

#include "compile/append.hpp"
#include "compile/compiler_enclosure.hpp"

namespace robust_kbench {

EnclosedCompiler::EnclosedCompiler(const KernelSource& kernel, const Toolchain& toolchain,
                                   std::filesystem::path directory, const CompilerLimits& limits,
                                   std::stop_token stop)
    : m_toolchain(toolchain),
      m_directory(std::move(directory)),
      m_limits(limits),
      m_stop(std::move(stop)) {
  may_read(kernel, {});
}

void EnclosedCompiler::may_read(const KernelSource& kernel,
                                const std::vector<std::string>& further) {
  m_environment = compiler_environment(m_directory);
  auto enclosure = compiler_enclosure(kernel, m_toolchain, m_directory);
  if (!enclosure) return;
  append(enclosure->policy.readable, further);
  m_enclosed_by = {enclosure->program};
  m_environment.push_back(std::string(sandbox_policy_variable) + "=" + encode(enclosure->policy));
}

std::vector<std::string> EnclosedCompiler::enclosed(const std::vector<std::string>& command) const {
  std::vector<std::string> whole = m_enclosed_by;
  append(whole, command);
  return whole;
}

CommandResult EnclosedCompiler::run(const std::vector<std::string>& command,
                                    std::chrono::milliseconds timeout) {
  return run_within(
      m_limits,
      {.arguments = command, .environment = m_environment, .working_directory = m_directory},
      timeout, m_stop);
}

}  // namespace robust_kbench
