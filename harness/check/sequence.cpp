#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <utility>

#include "check/call_checker.hpp"
#include "check/examiner.hpp"
#include "check/session.hpp"
#include "core/seed.hpp"
#include "tensor/reference.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t least_calls = 40;

// Which case to call next, and on what.
struct Step {
  const Case* from;
  std::uint64_t seed;
  Addresses addresses;
};

// Every case once on its own seed, then cases on seeds that nobody knows beforehand, shuffled.
std::vector<Step> steps_of(const std::vector<Case>& cases, std::uint64_t nonce) {
  std::mt19937_64 random(nonce);
  std::vector<Step> steps;
  while (!cases.empty() && (steps.size() < cases.size() || steps.size() < least_calls)) {
    const Case& next = cases[steps.size() % cases.size()];
    const bool first = steps.size() < cases.size();
    steps.push_back({&next, first ? next.seed : random(),
                     random() % 2 == 0 ? Addresses::same : Addresses::fresh});
  }
  std::shuffle(steps.begin(), steps.end(), random);
  return steps;
}

class Sequence {
 public:
  Sequence(const Task& task, Direction direction, KernelSession& session)
      : m_task(task),
        m_direction(direction),
        m_contract(contract(task, direction)),
        m_session(session) {}

  // What is wrong with this call, or nothing.
  std::optional<Finding> call(const Step& step, CaseRecord& record) {
    const Params& params = step.from->config.params;
    if (auto finding = m_session.prepare(params)) return finding;
    const Content content = make_content(m_task, m_direction, params, step.seed);
    Batch& batch = batch_of(step.from->config);
    CheckedCall checked =
        check_call(m_session.worker(), batch, m_contract, content, step.addresses);
    ++record.calls;
    record.kernel_seconds += checked.kernel_seconds;
    record.reference_seconds += content.reference_seconds;
    if (checked.passes()) return std::nullopt;
    return std::move(checked.judgement);
  }

 private:
  // One batch per config, which remembers the addresses of its last call.
  Batch& batch_of(const Config& config) {
    const auto known = m_batches.find(config.name);
    if (known != m_batches.end()) return known->second;
    return m_batches
        .emplace(config.name, Batch(m_session.worker(), m_task, m_direction, config.params))
        .first->second;
  }

  const Task& m_task;
  Direction m_direction;
  const Contract& m_contract;
  KernelSession& m_session;
  std::map<std::string, Batch> m_batches;
};

}  // namespace

CaseRecord examine_sequence(const Task& task, const Entry& entry, const std::string& library,
                            const std::vector<Case>& cases, const ExamineOptions& options) {
  const auto start = Clock::now();
  CaseRecord record{.name = "sequence", .verdict = Verdict::pass};
  KernelSession session(task, entry, library, cases, options);
  const std::vector<Step> steps = steps_of(cases, session.nonce());
  Sequence sequence(task, entry.direction, session);
  std::optional<Finding> finding;
  for (std::size_t i = 0; i < steps.size() && !finding; ++i) {
    finding = sequence.call(steps[i], record);
    if (finding && record.calls > 0) {
      finding->message += "\nin call " + std::to_string(i + 1) + " of " +
                          std::to_string(steps.size()) + ": " + steps[i].from->config.name;
    }
  }
  if (!finding) finding = session.stop();
  if (finding) {
    record.verdict = finding->verdict;
    record.cheat_class = finding->cheat_class;
    record.reason = session.with_replay(finding->message, record.name);
  }
  record.total_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return record;
}

}  // namespace robust_kbench
