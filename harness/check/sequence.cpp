#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "check/call_checker.hpp"
#include "check/examiner.hpp"
#include "check/kernel_workers.hpp"
#include "check/memory_retry.hpp"
#include "check/perturbed_inputs.hpp"
#include "check/precision_pool.hpp"
#include "check/probe_verdict.hpp"
#include "check/reference_threads.hpp"
#include "check/refusal.hpp"
#include "check/repeated_calls.hpp"
#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t min_calls = 40;
constexpr std::size_t min_slow_calls = 2;  // made even without time for them

// One call of the sequence.
struct Step {
  const Case* from;
  std::uint64_t seed;
  bool extra = false;                                  // a call besides the case's own
  std::optional<std::uint64_t> perturbation_key = {};  // set: the seed's content is perturbed
  Addresses addresses = Addresses::fresh;
};

// Takes every case once on its own seed, with extra calls between them. There are a quarter as many
// extra calls, or enough to reach `min_calls`. An extra call has a secret seed, or perturbs the
// content of the last call on its config. Extra calls of probes have secret seeds, since a few
// changed elements could break a probe's property.
std::vector<Step> steps_of(const std::vector<Case>& cases, std::uint64_t nonce) {
  if (cases.empty()) return {};
  CipherStream random(derived_key(nonce, "sequence"));
  std::vector<Step> steps;
  for (const Case& own : cases) steps.push_back({&own, own.seed});
  const std::size_t count = std::max(min_calls, cases.size() + cases.size() / 4);
  while (steps.size() < count)
    steps.push_back({&cases[steps.size() % cases.size()], random(), true});
  std::shuffle(steps.begin(), steps.end(), random);

  std::map<std::string, std::uint64_t> last_seeds;
  for (Step& step : steps) {
    step.addresses = random.below(2) == 0 ? Addresses::same : Addresses::fresh;
    if (step.from->probe) continue;
    const auto last = last_seeds.find(step.from->config.name);
    if (step.extra && last != last_seeds.end() && random.below(2) == 0) {
      step.perturbation_key = step.seed;
      step.seed = last->second;
    }
    last_seeds[step.from->config.name] = step.seed;
  }
  return steps;
}

class Sequence {
 public:
  Sequence(const Task& task, Direction direction, const ExamineOptions& options,
           KernelWorkers& workers, GpuLock::Use use)
      : m_task(task),
        m_direction(direction),
        m_contract(contract(task, direction)),
        m_device(options.worker.gpu ? Device::cuda : Device::cpu),
        m_require_shapes(options.require_shapes),
        m_workers(workers),
        m_use(use) {}

  // The judgement of the last call that was refused.
  [[nodiscard]] const std::optional<Judgement>& last_refusal() const { return m_last_refusal; }

  // Runs one call. Returns a finding about it, or nullopt.
  std::optional<Judgement> call(const Step& step, CaseRecord& record) {
    const KernelWorkers::Share share(m_workers, m_use);
    std::optional<Judgement> finding = call_in_share(step, record);
    if (finding) m_workers.free_memory_after(*finding, m_use);
    return finding;
  }

 private:
  std::optional<Judgement> call_in_share(const Step& step, CaseRecord& record) {
    const Params& params = step.from->config.params;
    const ReferenceThreads threads({m_task, m_direction, params});
    if (auto finding = m_workers.prepare(params)) return finding;
    const OutputLimits limits = m_workers.limits(*step.from, step.seed, [&](std::uint64_t seed) {
      return content_of({step.from, seed}, record);
    });
    const auto content = content_of(step, record);
    if (auto finding = m_workers.prepare(params)) return finding;
    const int worker = m_workers.worker().pid();
    if (std::exchange(m_worker, worker) != worker) m_batches.clear();
    Batch& batch = batch_of(step.from->config);
    CheckedCall checked =
        check_call(m_workers.worker(), batch, m_contract, *limits, *content, step.addresses);
    if (refuses(*step.from, checked)) {
      m_last_refusal = refused(checked.judgement);
      return std::nullopt;
    }
    ++record.calls;
    record.kernel_seconds += checked.kernel_seconds;
    if (checked.passes()) {
      if (auto finding = m_workers.retained_memory(m_use)) return finding;
      return judge_precision(step, checked, *limits);
    }
    if (checked.is_wrong()) {
      repeat_wrong_call(m_workers.worker(), batch, m_contract, *limits, *content, checked);
    }
    return checked.judgement;
  }

  // Whether a refusal is allowed. A kernel must refuse a config always or never.
  bool refuses(const Case& called, const CheckedCall& checked) {
    if (m_require_shapes || !may_refuse(called, m_device)) return false;
    const bool refusal = checked.is_refusal;
    const auto [known, added] = m_refusals.emplace(called.config.name, refusal);
    return refusal && known->second;
  }

  // Judges the errors of all calls on the config so far.
  std::optional<Judgement> judge_precision(const Step& of, const CheckedCall& right,
                                           const std::vector<PrecisionLimits>& limits) {
    PrecisionPool& pool = m_pools[content_kind(*of.from, of.seed)];
    pool.add(right.squares);
    std::string excess = pool.excess(m_contract, limits);
    if (excess.empty()) return std::nullopt;
    return Judgement{.verdict = Verdict::wrong_result, .reason = std::move(excess)};
  }

  std::shared_ptr<const Content> content_of(const Step& step, CaseRecord& record) {
    const Workload workload{m_task, m_direction, step.from->config.params};
    const c10::Device device = m_workers.device();
    std::string key = content_key(*step.from, step.seed);
    if (step.perturbation_key) key += "/perturbed " + std::to_string(*step.perturbation_key);
    return m_workers.content(key, workload.params, [&] {
      Content made = step.perturbation_key
                         ? make_content(workload, perturbed_inputs(workload, step.seed,
                                                                   *step.perturbation_key, device))
                         : make_content(workload, step.seed, device, step.from->probe);
      record.reference_seconds += made.reference_seconds;
      return made;
    });
  }

  // One batch for each config, which remembers the addresses of its last call.
  Batch& batch_of(const Config& config) {
    const auto known = m_batches.find(config.name);
    if (known != m_batches.end()) return known->second;
    return m_batches
        .emplace(config.name, Batch(m_workers.worker(), {m_task, m_direction, config.params}))
        .first->second;
  }

  const Task& m_task;
  Direction m_direction;
  const Contract& m_contract;
  const Device m_device;
  const bool m_require_shapes;
  KernelWorkers& m_workers;
  GpuLock::Use m_use;
  std::map<std::string, bool> m_refusals;  // by config: whether its first call was refused
  std::optional<Judgement> m_last_refusal;
  std::map<std::string, Batch> m_batches;  // by config
  PrecisionPools m_pools;
  int m_worker = 0;  // the process that m_batches belong to
};

// Drops probes that only leave a note, since a sequence has one verdict and no place for notes.
std::vector<Case> rejecting(const Task& task, std::vector<Case> cases) {
  std::erase_if(cases, [&](const Case& c) { return c.probe && !may_reject(task, *c.probe); });
  return cases;
}

CaseRecord examine_sequence(const Task& task, const Entry& entry, const std::string& library,
                            const std::vector<Case>& cases, const ExamineOptions& options,
                            GpuLock::Use use, bool& ends_early) {
  ends_early = false;
  const auto start = Clock::now();
  CaseRecord record{.name = "sequence", .judgement = passed()};
  KernelWorkers workers(task, entry, library, cases, options);
  const std::vector<Case> called = rejecting(task, cases);
  const std::vector<Step> steps = steps_of(called, workers.nonce());
  Sequence sequence(task, entry.direction, options, workers, use);
  std::optional<Judgement> finding =
      call_repeatedly(task, entry.direction, called, options, workers, use, record);
  double dearest = 0;
  for (std::size_t i = 0; i < steps.size() && !finding; ++i) {
    const double before = record.kernel_seconds;
    if (options.slow_calls && i >= min_slow_calls &&
        before + dearest > options.slow_calls->seconds) {
      ends_early = true;
      std::string& reason = record.judgement.reason;
      if (!reason.empty()) reason += "\n";
      reason += std::to_string(i) + " calls in random order fit into the time, " +
                std::to_string(steps.size()) + " were wanted";
      break;
    }
    finding = sequence.call(steps[i], record);
    dearest = std::max(dearest, record.kernel_seconds - before);
    if (finding && record.calls > 0) {
      finding->reason += "\nin call " + std::to_string(i + 1) + " of " +
                         std::to_string(steps.size()) + ": " + steps[i].from->config.name;
      if (const std::string asks = steps[i].from->asks(); !asks.empty()) {
        finding->reason += "\n" + asks + "\n--scope listed leaves out drawn configs and probes";
      }
    }
  }
  if (!finding) {
    record.judgement = workers.concluded(std::move(record.judgement), record.name);
    finding = workers.stop();
  }
  if (finding) {
    record.judgement = workers.concluded(*finding, record.name);
  } else if (record.calls == 0 && sequence.last_refusal()) {
    record.judgement = *sequence.last_refusal();
    record.refused = true;
  }
  record.total_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return record;
}

}  // namespace

CaseRecord examine_sequence(const Task& task, const Entry& entry, const std::string& library,
                            const std::vector<Case>& cases, const ExamineOptions& options,
                            bool* ends_early) {
  bool ended_early = false;
  CaseRecord record = MemoryRetry(options.worker.gpu).run([&](GpuLock::Use use) {
    return examine_sequence(task, entry, library, cases, options, use, ended_early);
  });
  if (ends_early != nullptr) *ends_early = ended_early;
  return record;
}

}  // namespace robust_kbench
