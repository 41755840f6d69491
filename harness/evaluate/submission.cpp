#include "evaluate/submission.hpp"

#include <algorithm>
#include <optional>

#include "broker/worker_enclosure.hpp"
#include "core/cancelled.hpp"
#include "core/speedup.hpp"
#include "device/cpu_lock.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/machine.hpp"
#include "evaluate/replay_stage.hpp"
#include "evaluate/request_check.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/sanitize.hpp"
#include "evaluate/test_stage.hpp"
#include "profile/tools.hpp"
#include "replay/replay_size.hpp"

namespace robust_kbench {

Submission::Submission(SharedState& shared, const KernelSource& kernel, const Request& request)
    : m_state(shared, kernel, request) {
  check_request(shared, kernel, request);
}

KernelRecord Submission::run() {
  KernelRecord& record = m_state.record;
  try {
    run_stages();
  } catch (const Cancelled&) {
    record.mean_speedups = mean_speedups(record.timings, same_within(record.device));
    record.judgement = {.verdict = Verdict::skipped, .reason = std::string(cancelled)};
  }
  if (m_state.request.on_waited) m_state.request.on_waited(m_state.waited_seconds);
  record.machine = machine_record(!record.gpu.empty());
  return std::move(record);
}

void Submission::run_stages() {
  const bool times = m_state.wants(Stage::time);
  const bool on_gpu = m_state.shared.on_gpu();
  if (times) m_timing.start_rivals();
  // On a GPU the baselines start once their memory is claimed.
  if (times && !on_gpu) m_timing.start_baselines();
  compile();
  if (!goes_on_after(Stage::compile)) return;
  if (times) m_timing.require_rivals();
  if (on_gpu) enter_gpu();
  if (times && on_gpu) m_timing.start_baselines();
  std::optional<RaceQueue::Coming> coming;
  if (times) coming.emplace(m_state.shared.races, m_timing.prepare());
  m_state.record.sandbox = worker_means(m_state.shared.manifest.toolchain, on_gpu);
  for (const Stage stage : {Stage::test, Stage::sanitize, Stage::time}) {
    if (!m_state.wants(stage)) continue;
    // A slow kernel is tested on fewer cases, and must gain no time from that.
    if (stage == Stage::time && m_state.cut_short) return;
    carry_out(stage);
    if (!goes_on_after(stage)) return;
  }
}

void Submission::carry_out(Stage stage) {
  if (stage == Stage::test) test(m_state);
  if (stage == Stage::sanitize) sanitize();
  if (stage != Stage::time) return;
  m_timing.time();
  if (!m_state.record.judgement.passes()) return;
  const ReplayChoice& choice = m_state.replay;
  if (!choice.missing.empty()) {
    m_state.record.judged = JudgedRecord{.by_replay = false, .reason = choice.missing};
  }
  const bool is_replayed = choice.mode == Replay::always ||
                           (choice.mode == Replay::in_doubt && m_state.false_spans.has_value());
  if (is_replayed) replay_and_judge(m_state);
}

// Sanitizers claim their memory themselves.
void Submission::enter_gpu() {
  const bool tests = m_state.wants(Stage::test);
  const bool times = m_state.wants(Stage::time);
  SharedState& shared = m_state.shared;
  m_state.record.gpu = gpu_facts().name;
  if (!tests && !times) return;
  const auto start = shared.options.now();
  m_state.memory = shared.memory.enter(
      {.test_bytes = std::max(
           tests ? shared.test_bytes(m_state.cases) : 0,
           m_state.request.estimators.empty() ? 0 : shared.test_bytes(cases_of(m_state.timed, 1))),
       .time_bytes = times ? time_bytes() : 0},
      m_state.request.stop, [&](const std::string& text) { m_state.report(Stage::test, text); });
  m_state.waited_seconds += m_state.seconds_since(start);
}

std::size_t Submission::time_bytes() const {
  const std::size_t bytes = m_state.shared.time_bytes(m_state.timed, m_timing.kernels());
  if (m_state.replay.mode == Replay::never) return bytes;
  return bytes +
         replay_gpu_bytes(m_state.shared.task, m_state.kernel.entry.direction, m_state.timed);
}

bool Submission::goes_on_after(Stage stage) const {
  const Request& request = m_state.request;
  if (request.stop.stop_requested()) throw Cancelled();
  const bool wanted = !request.on_stage || request.on_stage(stage, m_state.record) == Next::go_on;
  return wanted && m_state.record.judgement.passes();
}

void Submission::compile() {
  const auto report = [this](const std::string& text) { m_state.report(Stage::compile, text); };
  report("compiling");
  KernelRecord& record = m_state.record;
  m_state.build = m_state.shared.builds.build(m_state.kernel, m_state.request.stop, report);
  record.build = m_state.build.record;
  record.judgement = judgement_of(record);
  if (!record.judgement.passes()) return;
  if (std::string reason = skipped(); !reason.empty()) {
    record.judgement = {.verdict = Verdict::skipped, .reason = std::move(reason)};
  }
}

// The reason why this machine can only compile the kernel, or empty where it can do more.
std::string Submission::skipped() const {
  const Toolchain& toolchain = m_state.shared.manifest.toolchain;
  if (!m_state.wants(Stage::sanitize)) return skip_reason(m_state.kernel, toolchain);
  return sanitize_skip_reason(m_state.kernel, toolchain, find_tool("compute-sanitizer", toolchain));
}

void Submission::sanitize() {
  const CpuLock processors(GpuLock::Use::shared);
  const Tool tool = find_tool("compute-sanitizer", m_state.shared.manifest.toolchain);
  const auto records = robust_kbench::sanitize(
      m_state.inspected(), tool.path, m_state.cases,
      [&](const std::string& text) { m_state.report(Stage::sanitize, text); });
  KernelRecord& record = m_state.record;
  record.cases.insert(record.cases.end(), records.begin(), records.end());
  record.judgement = judgement_of(record);
}

}  // namespace robust_kbench
