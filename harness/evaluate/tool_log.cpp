#include "evaluate/tool_log.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include "exec/temporary_directory.hpp"

namespace robust_kbench {

ToolLog log_under(const InspectedKernel& kernel, std::vector<std::string> tool,
                  const std::vector<Case>& cases, std::chrono::milliseconds timeout) {
  // Tools write what they have to say after the worker has exited.
  constexpr std::chrono::seconds exit_timeout{30};
  const TemporaryDirectory directory("tool_log");
  const std::string log = directory.path() / "log";
  WorkerOptions worker;
  worker.program = kernel.worker;
  worker.tool = std::move(tool);
  worker.tool.insert(worker.tool.end(), {"--log-file", log});
  worker.limits.call_timeout = timeout;
  worker.limits.exit_timeout = exit_timeout;
  auto end = inspect(kernel.task, kernel.entry, kernel.library, cases, worker);
  std::ifstream in(log);
  return {.text = {std::istreambuf_iterator<char>(in), {}}, .end = std::move(end)};
}

}  // namespace robust_kbench
