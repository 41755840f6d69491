#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/alignment.hpp"
#include "check/cases_called_once.hpp"
#include "check/examiner.hpp"
#include "check/kernel_workers.hpp"
#include "check/memory_retry.hpp"
#include "check/other_threads.hpp"
#include "check/probe_verdict.hpp"
#include "check/repeated_calls.hpp"
#include "check/sequence_calls.hpp"
#include "check/sequence_steps.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t min_slow_calls = 2;  // made even without time for them
// A config of which a call takes longer is called no more than its own cases ask for.
constexpr double seconds_of_slow_call = 0.5;

// Drops probes that only leave a note, since a sequence has one verdict and no place for notes.
std::vector<Case> rejecting(const Task& task, std::vector<Case> cases) {
  std::erase_if(cases, [&](const Case& c) { return c.probe && !may_reject(task, *c.probe); });
  return cases;
}

// Choices and extreme sizes are drawn shapes, so that a sequence has them where it has drawn
// configs.
std::vector<Case> called_once(const Task& task, const std::vector<Case>& cases,
                              std::uint64_t nonce) {
  const bool has_drawn = std::ranges::any_of(
      cases, [](const Case& c) { return c.config.set == ConfigSet::drawn && !c.probe; });
  if (!has_drawn) return {};
  std::vector<Case> once = choice_cases(task, nonce);
  std::ranges::move(extreme_cases(task, nonce), std::back_inserter(once));
  return once;
}

class SequenceExamination {
 public:
  SequenceExamination(const Task& task, const Entry& entry, const std::string& library,
                      const std::vector<Case>& cases, const ExamineOptions& options,
                      GpuLock::Use use)
      : m_task(task),
        m_direction(entry.direction),
        m_options(options),
        m_use(use),
        m_cases(rejecting(task, cases)),
        m_workers(task, entry, library, cases, options),
        m_called_once(called_once(task, cases, m_workers.nonce())),
        m_calls(task, entry.direction, options, m_workers, use) {}

  CaseRecord run(bool& ends_early) {
    const auto start = Clock::now();
    std::optional<Judgement> finding =
        call_repeatedly(m_task, m_direction, m_cases, m_options, m_workers, m_use, m_record);
    if (!finding) finding = call_each(steps_of(m_cases, m_called_once, m_workers.nonce()), "");
    if (!finding) finding = call_with_other_threads();
    if (!finding) {
      m_record.judgement = m_workers.concluded(std::move(m_record.judgement), m_record.name);
      finding = m_workers.stop();
    }
    if (finding) {
      m_record.judgement = m_workers.concluded(*finding, m_record.name);
    } else if (m_record.calls == 0 && m_calls.last_refusal()) {
      m_record.judgement = *m_calls.last_refusal();
      m_record.refused = true;
    }
    // A slow kernel has used its time.
    if (m_record.judgement.passes() && !m_options.slow_calls) {
      m_record.needs_alignment =
          measured_alignment(m_calls, m_task, m_direction, m_cases, m_options.worker.gpu);
    }
    m_record.total_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    ends_early = m_ends_early;
    return std::move(m_record);
  }

 private:
  // Makes the calls one after another until one gives a finding, or until slow calls have used up
  // their time.
  std::optional<Judgement> call_each(const std::vector<Step>& steps, const std::string& how) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double before = m_record.kernel_seconds;
      const std::string& config = steps[i].from->config.name;
      if (m_slow_configs.contains(config) && (steps[i].extra || !how.empty())) continue;
      if (m_options.slow_calls && i >= min_slow_calls &&
          before + m_dearest > m_options.slow_calls->seconds) {
        m_ends_early = true;
        note(fmt::format("{} calls in random order{} fit into the time, {} were wanted", i, how,
                         steps.size()));
        break;
      }
      std::optional<Judgement> finding = m_calls.call(steps[i], m_record);
      const double seconds = m_record.kernel_seconds - before;
      m_dearest = std::max(m_dearest, seconds);
      if (seconds > seconds_of_slow_call) m_slow_configs.insert(config);
      if (!finding) continue;
      if (m_record.calls == 0) return finding;
      finding->reason += fmt::format("\nin call {} of {}{}: {}", i + 1, steps.size(), how, config);
      if (const std::string asks = steps[i].from->asks(); !asks.empty()) {
        finding->reason += "\n" + asks + "\n--scope listed leaves out drawn configs and probes";
      }
      return finding;
    }
    return std::nullopt;
  }

  // A kernel on a GPU has no threads on the CPU.
  std::optional<Judgement> call_with_other_threads() {
    if (m_options.worker.gpu || m_ends_early) return std::nullopt;
    const int threads = other_thread_count(m_options.worker.threads, m_workers.nonce());
    if (auto finding = m_workers.stop()) return finding;
    m_workers.set_threads(threads);
    return call_each(
        one_step_each(m_cases, m_workers.nonce()),
        fmt::format(" with {} threads in place of {}", threads, m_options.worker.threads));
  }

  void note(const std::string& text) {
    std::string& reason = m_record.judgement.reason;
    reason += (reason.empty() ? "" : "\n") + text;
  }

  const Task& m_task;
  const Direction m_direction;
  const ExamineOptions& m_options;
  const GpuLock::Use m_use;
  const std::vector<Case> m_cases;
  KernelWorkers m_workers;
  const std::vector<Case> m_called_once;
  SequenceCalls m_calls;
  CaseRecord m_record{.name = "sequence", .judgement = passed()};
  double m_dearest = 0;  // seconds of the slowest call
  std::set<std::string> m_slow_configs;
  bool m_ends_early = false;
};

}  // namespace

CaseRecord examine_sequence(const Task& task, const Entry& entry, const std::string& library,
                            const std::vector<Case>& cases, const ExamineOptions& options,
                            bool* ends_early) {
  bool ended_early = false;
  CaseRecord record = MemoryRetry(options.worker.gpu).run([&](GpuLock::Use use) {
    return SequenceExamination(task, entry, library, cases, options, use).run(ended_early);
  });
  if (ends_early != nullptr) *ends_early = ended_early;
  return record;
}

}  // namespace robust_kbench
