#include "evaluate/tool_log.hpp"

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"
#include "profile/sanitizer.hpp"

namespace robust_kbench {

InspectingTool sanitizer_tool(const std::string& name, const std::string& compute_sanitizer) {
  // Instrumented code runs some hundred times slower, and a barrier that not all threads reach
  // hangs.
  constexpr std::chrono::minutes call_timeout{2};
  std::vector<std::string> command = sanitizer_arguments(name);
  command.insert(command.begin(), compute_sanitizer);
  return {.command = command, .call_timeout = call_timeout, .parse = [name](std::string_view log) {
            return sanitizer_findings(name, log);
          }};
}

ToolLog log_under(const InspectingTool& tool, const InspectedKernel& kernel,
                  const std::vector<Case>& cases) {
  // Tools write their log after the worker has exited.
  constexpr std::chrono::seconds exit_timeout{30};
  const TemporaryDirectory directory("tool_log");
  const std::string file = directory.path() / "log";
  WorkerOptions worker;
  worker.program = kernel.worker;
  worker.sandbox = sandbox_beside(kernel.worker);
  worker.readable = kernel.readable;
  worker.entry_point = kernel.entry_point;
  worker.writable = {directory.path()};
  worker.stop = kernel.stop;
  worker.tool = tool.command;
  worker.tool.insert(worker.tool.end(), {"--log-file", file});
  worker.limits.call_timeout = tool.call_timeout;
  worker.limits.exit_timeout = exit_timeout;
  ToolLog log{.findings = {},
              .end = inspect(kernel.task, kernel.entry, kernel.library, cases, worker, tool.lock)};
  const std::string text = read_text(file).value_or("");
  try {
    log.findings = tool.parse(text);
  } catch (const HarnessError&) {
    if (!log.end) throw;
  }
  return log;
}

}  // namespace robust_kbench
