#include "check/sequence_calls.hpp"

#include <utility>

#include "check/perturbed_inputs.hpp"
#include "check/reference_threads.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

SequenceCalls::SequenceCalls(const Task& task, Direction direction, const ExamineOptions& options,
                             KernelWorkers& workers, GpuLock::Use use)
    : m_task(task),
      m_direction(direction),
      m_contract(contract(task, direction)),
      m_device(options.worker.gpu ? Device::cuda : Device::cpu),
      m_require_shapes(options.require_shapes),
      m_workers(workers),
      m_use(use) {}

std::optional<Judgement> SequenceCalls::call(const Step& step, CaseRecord& record) {
  const KernelWorkers::Share share(m_workers, m_use);
  std::optional<Judgement> finding = call_in_share(step, record);
  if (finding) m_workers.free_memory_after(*finding, m_use);
  return finding;
}

bool SequenceCalls::is_right_at(InputPlace place, const Case& called) {
  const KernelWorkers::Share share(m_workers, m_use);
  CaseRecord record;
  Prepared prepared;
  if (prepare({&called, called.seed}, record, prepared)) return false;
  Batch batch(m_workers.worker(), {m_task, m_direction, called.config.params});
  batch.hand_inputs_at(place);
  const bool right = check_call(m_workers.worker(), batch, m_contract, *prepared.limits,
                                *prepared.content, Addresses::fresh)
                         .passes();
  if (!right) m_workers.discard_worker();
  return right;
}

std::optional<Judgement> SequenceCalls::prepare(const Step& step, CaseRecord& record,
                                                Prepared& prepared) {
  const Params& params = step.from->config.params;
  const ReferenceThreads threads({m_task, m_direction, params});
  if (auto finding = m_workers.prepare(params)) return finding;
  prepared.limits = m_workers.limits(*step.from, step.seed, [&](std::uint64_t seed) {
    return content_of({step.from, seed}, record);
  });
  prepared.content = content_of(step, record);
  return m_workers.prepare(params);
}

std::optional<Judgement> SequenceCalls::call_in_share(const Step& step, CaseRecord& record) {
  const Params& params = step.from->config.params;
  const ReferenceThreads threads({m_task, m_direction, params});
  Prepared prepared;
  if (auto finding = prepare(step, record, prepared)) return finding;
  const auto& [limits, content] = prepared;
  Batch& batch = batch_of(step.from->config);
  CheckedCall checked =
      check_call(m_workers.worker(), batch, m_contract, *limits, *content, step.addresses);
  if (checked.is_refusal && !m_require_shapes && may_refuse(*step.from, m_device)) {
    return m_refusals.refused(params, checked.judgement);
  }
  ++record.calls;
  record.kernel_seconds += checked.kernel_seconds;
  if (checked.passes()) {
    if (auto finding = m_refusals.computed(params)) return finding;
    if (auto finding = m_workers.retained_memory(m_use)) return finding;
    return judge_precision(step, checked, *limits);
  }
  if (checked.is_wrong()) {
    repeat_wrong_call(m_workers.worker(), batch, m_contract, *limits, *content, checked);
  }
  return checked.judgement;
}

// Judges the errors of all calls on the config so far.
std::optional<Judgement> SequenceCalls::judge_precision(
    const Step& of, const CheckedCall& right, const std::vector<PrecisionLimits>& limits) {
  PrecisionPool& pool = m_pools[content_kind(*of.from, of.seed)];
  pool.add(right.squares);
  std::string excess = pool.excess(m_contract, limits);
  if (excess.empty()) return std::nullopt;
  return Judgement{.verdict = Verdict::wrong_result, .reason = std::move(excess)};
}

std::shared_ptr<const Content> SequenceCalls::content_of(const Step& step, CaseRecord& record) {
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

Batch& SequenceCalls::batch_of(const Config& config) {
  const int worker = m_workers.worker().pid();
  if (std::exchange(m_worker, worker) != worker) m_batches.clear();
  const auto known = m_batches.find(config.name);
  if (known != m_batches.end()) return known->second;
  return m_batches
      .emplace(config.name, Batch(m_workers.worker(), {m_task, m_direction, config.params}))
      .first->second;
}

}  // namespace robust_kbench
