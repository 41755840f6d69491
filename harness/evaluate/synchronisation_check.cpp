#include "evaluate/synchronisation_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "check/batch.hpp"
#include "check/inspection.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/own_config.hpp"
#include "evaluate/finding_text.hpp"
#include "evaluate/split_barriers.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

double bytes_of(const Workload& workload) {
  const auto elements = static_cast<double>(elements_of(workload).value_or(0));
  return std::max(cost_of(workload).bytes, elements * sizeof(float));
}

// racecheck is done with a call of this work within a second, for all but a few kernels of the
// suite. It looks at each access of shared memory, and their number follows the arithmetic.
bool is_quick_to_inspect(const Workload& workload) {
  constexpr double most_bytes = 64e6;
  constexpr double most_flops = 1e9;
  return bytes_of(workload) <= most_bytes && cost_of(workload).flops <= most_flops;
}

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

// Halves a size, down to the range's least. False where that changes nothing or is not valid.
bool halve(Params& params, const SizeRange& range,
           const std::function<bool(const Params&)>& valid) {
  const std::int64_t size = params.integer(range.parameter);
  const std::int64_t half = std::max(range.least, size / 2 / range.multiple * range.multiple);
  Params smaller = params;
  smaller.set(range.parameter, half);
  if (half >= size || (valid && !valid(smaller))) return false;
  params = std::move(smaller);
  return true;
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
    add_note(record, tool + " was not done in its time");
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

std::optional<Case> case_near_timed(const Task& task, Direction direction,
                                    const std::vector<Config>& timed) {
  const auto bytes = [&](const Config& config) {
    return bytes_of({task, direction, config.params});
  };
  const auto largest =
      std::max_element(timed.begin(), timed.end(),
                       [&](const Config& a, const Config& b) { return bytes(a) < bytes(b); });
  if (largest == timed.end()) return std::nullopt;
  Config near = *largest;
  const auto fits = [&] { return is_quick_to_inspect({task, direction, near.params}); };
  if (task.shapes) {
    for (const SizeRange& range : task.shapes->sizes) {
      while (!fits() && halve(near.params, range, task.shapes->valid)) {
      }
    }
  }
  if (!fits()) return std::nullopt;
  if (near.params != largest->params) near.name = own_config_text(near.params, task.defaults);
  return Case{.config = near, .seed = 1};
}

SynchronisationCheck::SynchronisationCheck(const InspectedKernel& kernel,
                                           const std::string& compute_sanitizer,
                                           const std::string& cuobjdump,
                                           const std::vector<Inspection>& inspections,
                                           ToolMemory& memory)
    : m_forward(kernel.stop, [this] { m_stop.request_stop(); }), m_cancelled(kernel.stop) {
  for (const auto& [tool, inspected] : inspections) {
    InspectingTool inspecting = sanitizer_tool(tool, compute_sanitizer);
    inspecting.lock = InspectionLock::of_calls;
    InspectedKernel stoppable = kernel;
    stoppable.stop = m_stop.get_token();
    m_tools.push_back(
        std::async(std::launch::async, [=, tool = tool, inspected = inspected, &memory] {
          CaseRecord record = record_of_log(tool, [&] {
            const ToolMemory::Share share = memory.take(
                inspection_bytes(stoppable.task, stoppable.entry.direction, {inspected.config}),
                stoppable.stop);
            return without_races_at_split_barriers(log_under(inspecting, stoppable, {inspected}),
                                                   stoppable.library, cuobjdump, stoppable.worker,
                                                   stoppable.stop);
          });
          record.name += "/" + inspected.config.name;
          return record;
        }));
  }
}

SynchronisationCheck::~SynchronisationCheck() {
  m_stop.request_stop();
}

std::vector<CaseRecord> SynchronisationCheck::records(std::chrono::seconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (const auto& tool : m_tools) tool.wait_until(deadline);
  m_stop.request_stop();
  std::vector<CaseRecord> records;
  for (auto& tool : m_tools) records.push_back(tool.get());
  m_tools.clear();
  if (m_cancelled.stop_requested()) throw Cancelled();
  return records;
}

}  // namespace robust_kbench
