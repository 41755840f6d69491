#include "evaluate/synchronisation_check.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "check/batch.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "evaluate/finding_text.hpp"
#include "evaluate/split_barriers.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::array<const char*, 2> tools{"racecheck", "synccheck"};
constexpr std::chrono::seconds tool_limit{2};

// The errors that these tools look for. Anything else, such as a process that fails under them or
// an unknown line, may be the tool's own trouble. Tests judge how a kernel ends.
bool accuses(const ToolFinding& finding) {
  constexpr std::array<std::string_view, 13> errors{"race",
                                                    "write_after_write",
                                                    "read_after_write",
                                                    "write_after_read",
                                                    "barrier_error",
                                                    "invalid_global_read",
                                                    "invalid_global_write",
                                                    "invalid_global_access",
                                                    "invalid_shared_read",
                                                    "invalid_shared_write",
                                                    "invalid_local_access",
                                                    "invalid_access",
                                                    "device_heap_error"};
  return finding.severity == Severity::error &&
         std::find(errors.begin(), errors.end(), finding.what) != errors.end();
}

void add_note(CaseRecord& record, const std::string& note) {
  record.judgement.reason += (record.judgement.reason.empty() ? "" : "\n") + note;
}

}  // namespace

CaseRecord record_of_log(const std::string& tool, const std::function<ToolLog()>& look) {
  const auto start = std::chrono::steady_clock::now();
  CaseRecord record{.name = "sanitize/" + tool, .judgement = passed()};
  try {
    auto [findings, end] = look();
    const auto accusing = std::stable_partition(
        findings.begin(), findings.end(), [](const auto& finding) { return !accuses(finding); });
    const std::vector<ToolFinding> errors(accusing, findings.end());
    findings.erase(accusing, findings.end());
    if (!errors.empty()) {
      record.judgement = {.verdict = Verdict::unsafe, .reason = describe(errors)};
    } else {
      if (!findings.empty()) add_note(record, describe(findings));
      if (end) {
        add_note(record, fmt::format("{} could not look: under it the kernel failed: {}", tool,
                                     end->judgement.reason));
      }
    }
  } catch (const Cancelled&) {
    add_note(record, fmt::format("{} was not done after {} s", tool, tool_limit.count()));
  } catch (const HarnessError& error) {
    add_note(record, fmt::format("{} could not look: {}", tool, error.what()));
  }
  record.total_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

std::optional<Case> case_to_inspect(const Task& task, Direction direction,
                                    const std::vector<Config>& configs) {
  std::vector<Config> small = configs;
  std::erase_if(small, [](const Config& config) { return config.set != ConfigSet::small; });
  if (small.empty()) return std::nullopt;
  const auto bytes = [&](const Config& config) {
    return arena_bytes({task, direction, config.params});
  };
  std::stable_sort(small.begin(), small.end(),
                   [&](const Config& a, const Config& b) { return bytes(a) < bytes(b); });
  return Case{.config = small[small.size() / 2], .seed = 1};
}

SynchronisationCheck::SynchronisationCheck(const InspectedKernel& kernel,
                                           const std::string& compute_sanitizer,
                                           const std::string& cuobjdump, const Case& inspected)
    : m_forward(kernel.stop, [this] { m_stop.request_stop(); }), m_cancelled(kernel.stop) {
  for (const char* tool : tools) {
    InspectingTool inspecting = sanitizer_tool(tool, compute_sanitizer);
    inspecting.lock = InspectionLock::of_calls;
    InspectedKernel stoppable = kernel;
    stoppable.stop = m_stop.get_token();
    m_tools.push_back(std::async(std::launch::async, [=] {
      return record_of_log(tool, [&] {
        return without_races_at_split_barriers(log_under(inspecting, stoppable, {inspected}),
                                               stoppable.library, cuobjdump, stoppable.worker,
                                               stoppable.stop);
      });
    }));
  }
}

SynchronisationCheck::~SynchronisationCheck() {
  m_stop.request_stop();
}

std::vector<CaseRecord> SynchronisationCheck::records() {
  const auto deadline = std::chrono::steady_clock::now() + tool_limit;
  for (const auto& tool : m_tools) tool.wait_until(deadline);
  m_stop.request_stop();
  std::vector<CaseRecord> records;
  for (auto& tool : m_tools) records.push_back(tool.get());
  m_tools.clear();
  if (m_cancelled.stop_requested()) throw Cancelled();
  return records;
}

}  // namespace robust_kbench
