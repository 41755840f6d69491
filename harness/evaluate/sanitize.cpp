#include "evaluate/sanitize.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "check/inspection.hpp"
#include "core/error.hpp"
#include "exec/temporary_directory.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> tools{"memcheck", "racecheck", "initcheck", "synccheck"};

// Instrumented code runs some hundred times slower, and a barrier that not all threads reach hangs.
constexpr std::chrono::minutes call_timeout{2};
// The tool writes its summary after the worker has exited.
constexpr std::chrono::seconds exit_timeout{30};
// Between allocations, so that an access somewhat beyond one does not lie in the next one.
constexpr int padding_bytes = 4096;
constexpr std::size_t most_told = 10;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string describe(const ToolFinding& finding) {
  const Place& where = finding.where;
  std::string text = finding.what + ": " + finding.meaning;
  if (!where.kernel.empty()) text += "\n  in " + where.kernel;
  if (!where.file.empty()) text += fmt::format(" at {}:{}", where.file, where.line);
  if (!where.thread.empty()) {
    text += fmt::format("\n  by thread {} of block {}", where.thread, where.block);
  }
  if (!where.address.empty()) text += "\n  address " + where.address;
  if (finding.value && *finding.value > 1) text += fmt::format("\n  {} times", *finding.value);
  return text;
}

std::string describe(const std::vector<ToolFinding>& findings) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), most_told); ++i) {
    text += (i == 0 ? "" : "\n") + describe(findings[i]);
  }
  if (findings.size() > most_told) {
    text += fmt::format("\nand {} more findings", findings.size() - most_told);
  }
  return text;
}

WorkerOptions worker_under(const SanitizedKernel& kernel, const std::string& tool,
                           const std::string& log) {
  WorkerOptions worker;
  worker.program = kernel.worker;
  worker.tool = {
      kernel.compute_sanitizer, "--tool", tool, "--show-backtrace", "no", "--log-file", log};
  if (tool == "memcheck") {
    worker.tool.insert(worker.tool.end(), {"--padding", std::to_string(padding_bytes)});
  }
  worker.limits.call_timeout = call_timeout;
  worker.limits.exit_timeout = exit_timeout;
  return worker;
}

CaseRecord sanitize_with(const std::string& tool, const SanitizedKernel& kernel,
                         const std::vector<Case>& cases) {
  const auto start = std::chrono::steady_clock::now();
  const TemporaryDirectory directory("sanitize");
  const fs::path log = directory.path() / "log";
  const auto end =
      inspect(kernel.task, kernel.entry, kernel.library, cases, worker_under(kernel, tool, log));
  CaseRecord record{.name = "sanitize/" + tool, .verdict = Verdict::pass};
  std::vector<ToolFinding> findings;
  try {
    findings = sanitizer_findings(tool, read(log));
  } catch (const HarnessError&) {
    if (!end) throw;  // else the tool was killed before it could sum up
  }
  std::erase_if(findings, [](const auto& finding) { return finding.severity == Severity::info; });
  if (end) {
    record.verdict = end->finding.verdict;
    record.reason = end->finding.message;
  }
  if (!findings.empty()) {
    record.verdict = Verdict::unsafe;
    record.reason = describe(findings);
  }
  if (end) record.reason += "\nlast called on " + end->case_name;
  record.total_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace

std::vector<CaseRecord> sanitize(const SanitizedKernel& kernel, const std::vector<Case>& cases,
                                 const std::function<void(const std::string&)>& on_progress) {
  std::vector<CaseRecord> records;
  for (const char* tool : tools) {
    if (on_progress) on_progress(std::string("under ") + tool);
    records.push_back(sanitize_with(tool, kernel, cases));
  }
  return records;
}

}  // namespace robust_kbench
