#include "check/repeated_calls.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "check/batch.hpp"
#include "check/call_checker.hpp"
#include "check/output_check.hpp"
#include "check/perturbed_inputs.hpp"
#include "check/precision_pool.hpp"
#include "check/refusal.hpp"
#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "tensor/generator.hpp"
#include "tensor/gradients.hpp"
#include "tensor/reference.hpp"
#include "tensor/rms_excess.hpp"
#include "tensor/scoped_torch_threads.hpp"
#include "tensor/stacked_task.hpp"
#include "tensor/workload.hpp"
#include "tensor/yardstick.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A batch of this size has room for the gaps between its tensors. In a larger one operators of
// torch, which already take longer to compute than to start, would cost no less.
constexpr std::size_t max_batch = 500;
constexpr std::size_t batch_bytes = std::size_t{4} << 20;  // of inputs and weights
// One call of so many differs from the previous one only in a part of one tensor. A kernel that
// recognises calls by some of their elements mistakes it for that one.
constexpr std::size_t calls_per_perturbed = 8;

// A config has 3 calls for each seed besides.
constexpr std::size_t usual_calls = 3 * default_seeds;

std::size_t batch_of(const Workload& workload) {
  return std::clamp<std::size_t>(batch_bytes / (content_bytes(workload) + 1), 1, max_batch);
}

// The cost of the calls: processor time of this thread, and the kernel's time by the broker's
// clock. Waiting for a processor does not count, so a busy machine makes as many calls as an idle
// one.
double seconds_spent(const CaseRecord& record) {
  timespec processor{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &processor);
  return static_cast<double>(processor.tv_sec) + 1e-9 * static_cast<double>(processor.tv_nsec) +
         record.kernel_seconds;
}

// Takes one call's references or outputs out of the stacked ones.
std::vector<at::Tensor> one_of(const std::vector<at::Tensor>& stacked, std::size_t call) {
  std::vector<at::Tensor> of_call;
  for (const at::Tensor& tensor : stacked) {
    of_call.push_back(tensor.defined() ? tensor.select(0, static_cast<std::int64_t>(call))
                                       : tensor);
  }
  return of_call;
}

class RepeatedCalls {
 public:
  RepeatedCalls(const Task& task, Direction direction, const Case& called,
                const ExamineOptions& options, KernelWorkers& workers, GpuLock::Use use,
                std::size_t wanted)
      : m_case(called),
        m_workload{task, direction, called.config.params},
        m_contract(m_workload.contract()),
        m_stack(std::min(batch_of(m_workload), wanted)),
        m_stacked_task(stacked_task(task, static_cast<std::int64_t>(m_stack))),
        m_options(options),
        m_workers(workers),
        m_use(use),
        m_wanted(wanted),
        m_next(m_stack) {}

  std::optional<Judgement> run(CaseRecord& record) {
    // Small operators take longer on several threads than on one, and far longer on a busy machine.
    const ScopedTorchThreads one_thread(1);
    if (auto finding = measure(record)) return finding;
    const double limit = std::chrono::duration<double>(m_options.repeated_calls_time).count();
    const double start = seconds_spent(record);
    double latest = 0;
    while (m_done < m_wanted && !m_refused) {
      const double before = seconds_spent(record);
      if (m_done > 0 && before - start + latest > limit) break;
      if (auto finding = next_batch(calls_within(limit - (before - start)), record)) {
        m_workers.free_memory_after(*finding, m_use);
        return finding;
      }
      latest = seconds_spent(record) - before;
    }
    if (m_done < m_wanted && !m_refused) {
      std::string& reason = record.judgement.reason;
      reason += reason.empty() ? "" : "\n";
      reason += fmt::format("{} calls of {} fit into {} s, {} were wanted", m_done,
                            m_case.config.name, limit, m_wanted);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_refused() const { return m_refused; }

 private:
  std::optional<Judgement> measure(CaseRecord& record) {
    const KernelWorkers::Share share(m_workers, m_use);
    if (auto finding = m_workers.prepare(m_workload.params)) return finding;
    m_limits = limits(record);
    return std::nullopt;
  }

  // The number of calls that take `seconds` by the kernel's time in the latest batch, at least one.
  // A batch of slow calls would exceed the worker's own limit.
  [[nodiscard]] std::size_t calls_within(double seconds) const {
    const double calls = seconds / m_call_seconds;
    return calls < static_cast<double>(m_stack)
               ? std::max<std::size_t>(1, static_cast<std::size_t>(std::max(0.0, calls)))
               : m_stack;
  }

  std::optional<Judgement> next_batch(std::size_t most, CaseRecord& record) {
    const KernelWorkers::Share share(m_workers, m_use);
    if (m_next == m_stack) {
      m_content = content(derived_key(m_workers.nonce(), "repeated calls", m_done), record);
      m_next = 0;
    }
    if (auto finding = m_workers.prepare(m_workload.params)) return finding;
    const int worker = m_workers.worker().pid();
    if (std::exchange(m_worker, worker) != worker) {
      m_batch.emplace(m_workers.worker(), m_workload);
      m_most = 1;
    }
    return call(std::min({m_stack - m_next, m_most, most, m_wanted - m_done}), record);
  }

  std::optional<Judgement> call(std::size_t count, CaseRecord& record) {
    std::vector<Tensors> calls;
    for (std::size_t i = 0; i < count; ++i) {
      calls.push_back(call_of(m_content->tensors, static_cast<std::int64_t>(m_next + i)));
    }
    std::vector<at::Tensor> references;
    for (const at::Tensor& all : m_content->references) {
      references.push_back(
          all.narrow(0, static_cast<std::int64_t>(m_next), static_cast<std::int64_t>(count)));
    }
    const CheckedCall checked =
        check_calls(m_workers.worker(), *m_batch, m_contract, *m_limits, calls, references);
    if (m_done == 0 && checked.is_refusal && !m_options.require_shapes &&
        may_refuse(m_case, m_options.worker.gpu ? Device::cuda : Device::cpu)) {
      m_refused = true;
      return std::nullopt;
    }
    record.calls += static_cast<int>(count);
    record.kernel_seconds += checked.kernel_seconds;
    m_call_seconds = checked.kernel_seconds / static_cast<double>(count);
    if (checked.is_wrong()) return judge_wrong(calls, references, checked);
    if (!checked.passes()) return checked.judgement;
    m_next += count;
    m_done += count;
    m_most = m_batch->max_calls();
    if (auto finding = m_workers.retained_memory(m_use)) return finding;
    return judge_precision(checked, count);
  }

  // Looks for a call that is wrong by its own reference, and by limits that torch's own float32
  // keeps there. Among thousands of contents one may need more precision than float32 has.
  std::optional<Judgement> judge_wrong(const std::vector<Tensors>& calls,
                                       const std::vector<at::Tensor>& references,
                                       const CheckedCall& checked) {
    const bool any = !checked.outputs.empty();  // otherwise only the last call can be wrong
    for (std::size_t i = any ? 0 : calls.size() - 1; i < calls.size(); ++i) {
      if (any && passes(one_of(checked.outputs, i), one_of(references, i))) continue;
      const Content content = make_content(m_workload, calls[i]);
      if (any && passes(one_of(checked.outputs, i), content.references)) continue;
      if (!passes(eager(m_workload, content.tensors), content.references)) continue;
      CheckedCall wrong{.judgement = checked.judgement};
      if (any) wrong.judgement = judgement_of(one_of(checked.outputs, i), content.references);
      repeat_wrong_call(m_workers.worker(), *m_batch, m_contract, *m_limits, content, wrong);
      wrong.judgement.reason +=
          fmt::format("\nin call {} of {} of {}", m_done + i + 1, m_wanted, m_case.config.name);
      return wrong.judgement;
    }
    m_next += calls.size();
    m_done += calls.size();
    return std::nullopt;
  }

  [[nodiscard]] Judgement judgement_of(const std::vector<at::Tensor>& outputs,
                                       const std::vector<at::Tensor>& references) const {
    return check_outputs(m_contract, *m_limits, outputs, references).judgement;
  }

  [[nodiscard]] bool passes(const std::vector<at::Tensor>& outputs,
                            const std::vector<at::Tensor>& references) const {
    return judgement_of(outputs, references).passes();
  }

  std::optional<Judgement> judge_precision(const CheckedCall& right, std::size_t count) {
    m_pool.add(right.squares, static_cast<std::int64_t>(count));
    std::string excess = m_pool.excess(m_contract, *m_limits);
    if (excess.empty()) return std::nullopt;
    return Judgement{
        .verdict = Verdict::wrong_result,
        .reason = fmt::format("{}\nin {} calls of {}", excess, m_done, m_case.config.name)};
  }

  [[nodiscard]] std::string key() const {
    return fmt::format("{} calls of {}", m_stack, content_kind(m_case, m_case.seed));
  }

  std::shared_ptr<const Content> content(std::uint64_t seed, CaseRecord& record) {
    return m_workers.content(fmt::format("{}/{}", key(), seed), m_workload.params, [&] {
      Content made = make_content(stacked(), calls(seed));
      record.reference_seconds += made.reference_seconds;
      return made;
    });
  }

  [[nodiscard]] Tensors calls(std::uint64_t seed) const {
    const Workload workload = stacked();
    Tensors calls =
        make_tensors(workload, seed, m_workers.device(), Constants::typical, NearKinks::kept);
    CipherStream random(derived_key(seed, "perturbed calls"));
    for (std::size_t i = calls_per_perturbed - 1; i < m_stack; i += calls_per_perturbed) {
      const auto index = static_cast<std::int64_t>(i);
      perturb(call_of(calls, index), call_of(calls, index - 1), random);
    }
    if (workload.direction == Direction::backward) mask_gradients(workload, calls);
    return calls;
  }

  OutputLimits limits(CaseRecord& record) {
    return m_workers.limits(key(), m_workload.params, [&] {
      return measure_limits(stacked(), std::nullopt, [&](std::uint64_t seed) {
        const auto drawn = content(seed, record);
        return Draw{drawn->tensors, drawn->references};
      });
    });
  }

  [[nodiscard]] Workload stacked() const {
    return {m_stacked_task, m_workload.direction, m_workload.params};
  }

  const Case& m_case;
  const Workload m_workload;
  const Contract& m_contract;
  const std::size_t m_stack;  // calls whose contents are made at once
  const Task m_stacked_task;
  const ExamineOptions& m_options;
  KernelWorkers& m_workers;
  const GpuLock::Use m_use;
  const std::size_t m_wanted;  // the number of calls

  OutputLimits m_limits;
  std::shared_ptr<const Content> m_content;
  std::optional<Batch> m_batch;
  int m_worker = 0;        // the process that m_batch belongs to
  std::size_t m_most = 1;  // room for calls in a batch, known after the first call
  std::size_t m_next;      // index of the next call in m_content
  std::size_t m_done = 0;
  double m_call_seconds = 0;  // the kernel's, in the latest batch
  bool m_refused = false;
  PrecisionPool m_pool;
};

// One listed case of each config, the smallest config first.
std::vector<Case> smallest_first(const Task& task, Direction direction,
                                 const std::vector<Case>& cases) {
  std::set<std::string> seen;
  std::vector<Case> listed;
  for (const Case& c : cases) {
    if (c.is_listed() && seen.insert(c.config.name).second) listed.push_back(c);
  }
  const auto bytes = [&](const Case& c) { return arena_bytes({task, direction, c.config.params}); };
  std::stable_sort(listed.begin(), listed.end(),
                   [&](const Case& a, const Case& b) { return bytes(a) < bytes(b); });
  return listed;
}

// The number of calls after which errors of every output can be judged together.
std::size_t calls_to_judge(const Content& content) {
  std::int64_t calls = 1;
  for (const at::Tensor& reference : content.references) {
    if (!reference.defined() || reference.numel() == 0) continue;
    const std::int64_t elements = reference.numel();
    calls = std::max(calls,
                     std::min(min_judged_calls, (min_judged_elements + elements - 1) / elements));
  }
  return static_cast<std::size_t>(calls);
}

}  // namespace

std::optional<Judgement> call_repeatedly(const Task& task, Direction direction,
                                         const std::vector<Case>& cases,
                                         const ExamineOptions& options, KernelWorkers& workers,
                                         GpuLock::Use use, CaseRecord& record) {
  if (options.repeated_calls == 0) return std::nullopt;
  const std::vector<Case> configs = smallest_first(task, direction, cases);
  for (const Case& smallest : configs) {
    RepeatedCalls repeated(task, direction, smallest, options, workers, use,
                           options.repeated_calls);
    if (auto finding = repeated.run(record)) return finding;
    if (!repeated.is_refused()) break;
  }
  // The nonce chooses one of the larger half, in which a kernel may do otherwise.
  const std::size_t larger = configs.size() - configs.size() / 2;
  const std::uint64_t choice = derived_key(workers.nonce(), "calls of few elements");
  for (std::size_t i = 0; configs.size() > 1 && i < larger; ++i) {
    const Case& config = configs[configs.size() / 2 + (choice + i) % larger];
    const Workload workload{task, direction, config.config.params};
    // Its content would take gigabytes on a GPU, and hundreds of its calls too long.
    if (content_bytes(workload) >= batch_bytes) continue;
    const auto content = workers.content(content_key(config, config.seed), workload.params, [&] {
      return make_content(workload, config.seed, workers.device());
    });
    const std::size_t wanted = calls_to_judge(*content);
    if (wanted <= usual_calls) continue;
    return RepeatedCalls(task, direction, config, options, workers, use, wanted).run(record);
  }
  return std::nullopt;
}

}  // namespace robust_kbench
