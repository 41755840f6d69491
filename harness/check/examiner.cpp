#include "check/examiner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "check/batch.hpp"
#include "check/beyond_listed.hpp"
#include "check/bytes.hpp"
#include "check/call_checker.hpp"
#include "check/kernel_workers.hpp"
#include "check/memory_retry.hpp"
#include "check/precision_pool.hpp"
#include "check/probe_verdict.hpp"
#include "check/reference_threads.hpp"
#include "check/refusal.hpp"
#include "check/stop_rule.hpp"
#include "core/seed.hpp"
#include "tensor/comparison.hpp"
#include "tensor/reference.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

// The three calls of a case. The second has only the first one's addresses, so an answer cached by
// address, by shape or for its weights is wrong. The third repeats the first one's content at other
// addresses. In one case of each config its inputs end at unmapped pages.
struct Round {
  bool own_content;
  Addresses addresses;
  const char* description;
};

constexpr std::array<Round, 3> rounds{{
    {true, Addresses::fresh, "the case's content"},
    {false, Addresses::same, "other content at the same addresses"},
    {true, Addresses::fresh, "the case's content again at other addresses"},
}};

class CaseExamination {
 public:
  // `may_refuse` says whether the kernel may refuse the case. `unmapped` says whether the inputs of
  // its last call end at unmapped pages. `pools` are those of all cases.
  CaseExamination(const Task& task, Direction direction, const Case& examined, bool may_refuse,
                  bool unmapped, KernelWorkers& workers, PrecisionPools& pools)
      : m_workload{task, direction, examined.config.params},
        m_contract(m_workload.contract()),
        m_case(examined),
        m_may_refuse(may_refuse),
        m_unmapped(unmapped),
        m_workers(workers),
        m_pools(pools) {
    m_record.name = examined.name();
    m_record.asks = examined.asks();
  }

  // Runs the case. On a GPU a failure for lack of memory, or one that left processes, kills the
  // worker, which frees its memory. An exception kills it, too.
  CaseRecord run(GpuLock::Use use) {
    const auto start = Clock::now();
    const ReferenceThreads threads(m_workload);
    const KernelWorkers::Share share(m_workers, use);
    // A failure to load is forgotten, too, since the worker may have been killed while loading.
    if (use == GpuLock::Use::exclusive) m_workers.discard_worker();
    m_workers.begin_output();
    try {
      if (auto finding = m_workers.prepare(m_workload.params)) {
        conclude(*finding);
      } else {
        call_three_times();
      }
    } catch (...) {
      m_workers.discard_worker();
      throw;
    }
    if (auto finding = m_workers.retained_memory(use)) conclude(*finding);
    if (m_workers.device().is_cuda() && spoils_the_gpu()) m_workers.discard_worker();
    if (lacked_gpu_memory(m_record)) m_workers.require_claimed_memory(use);
    m_record.total_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(m_record);
  }

 private:
  void call_three_times() {
    m_limits = limits_for(m_case.seed);
    m_other_limits = limits_for(other_seed());
    const auto own = content(m_case.seed);
    const auto other = content(other_seed());
    if (auto finding = m_workers.prepare(m_workload.params)) return conclude(*finding);
    Batch batch(m_workers.worker(), m_workload);
    std::vector<CheckedCall> calls;
    bool known_wrong = false;
    for (const Round& round : rounds) {
      const Content& content = round.own_content ? *own : *other;
      const auto& limits = round.own_content ? *m_limits : *m_other_limits;
      const bool unmapped = m_unmapped && &round == &rounds.back();
      if (unmapped) batch.hand_inputs_at({.before_unmapped = 1});
      calls.push_back(
          check_call(m_workers.worker(), batch, m_contract, limits, content, round.addresses));
      ++m_record.calls;
      m_record.kernel_seconds += calls.back().kernel_seconds;
      if (calls.back().is_wrong() && !std::exchange(known_wrong, true)) {
        repeat_wrong_call(m_workers.worker(), batch, m_contract, limits, content, calls.back());
      }
      // Only the first call can be a refusal: a kernel that has computed a config must not refuse
      // it.
      if (m_may_refuse && calls.size() == 1 && calls.back().is_refusal) {
        m_record.refused = true;
        conclude(refused(calls.back().judgement));
        return;
      }
      if (!calls.back().passes() && !calls.back().is_wrong()) {
        if (unmapped) explain_over_read(calls.back().judgement);
        conclude(calls.back().judgement, calls.size() - 1);
        return;
      }
    }
    m_record.errors = calls[0].errors;
    record_eager_errors(*own);
    compare_rounds(calls);
    if (m_record.judgement.passes()) judge_precision(calls);
  }

  // The calls before ended well, and only the addresses behind the inputs differ.
  static void explain_over_read(Judgement& judgement) {
    if (judgement.verdict != Verdict::crash) return;
    judgement.reason =
        "the kernel reads past the end of an input: each ends at an unmapped page here\n" +
        judgement.reason;
  }

  // Judges the errors of all calls on the config so far, so a case may fail that alone would pass.
  void judge_precision(const std::vector<CheckedCall>& calls) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const bool own = rounds.at(i).own_content;
      PrecisionPool& pool = m_pools[content_kind(m_case, own ? m_case.seed : other_seed())];
      pool.add(calls[i].squares);
      std::string excess = pool.excess(m_contract, own ? *m_limits : *m_other_limits);
      if (excess.empty()) continue;
      return conclude({.verdict = Verdict::wrong_result,
                       .reason = std::move(excess) + "\nin all calls on this config so far"});
    }
  }

  OutputLimits limits_for(std::uint64_t seed) {
    return m_workers.limits(m_case, seed, [&](std::uint64_t drawn) { return content(drawn); });
  }

  // The lowest bit differs from that of the case's own seed, so that a probe that scales shows both
  // scales.
  [[nodiscard]] std::uint64_t other_seed() const {
    const std::uint64_t secret = derived_key(m_workers.nonce(), "other seed of " + m_record.name);
    return (secret & ~std::uint64_t{1}) | ((m_case.seed + 1) & 1);
  }

  void compare_rounds(const std::vector<CheckedCall>& calls) {
    const CheckedCall& first = calls[0];
    const CheckedCall& again = calls[2];
    if (!calls[1].passes() || (first.is_wrong() && again.is_wrong())) {
      const std::size_t wrong = first.is_wrong() ? 0 : 1;
      conclude(calls[wrong].judgement, wrong);
    } else if (first.is_wrong() || again.is_wrong()) {
      const std::size_t wrong = first.is_wrong() ? 0 : 2;
      conclude({.verdict = Verdict::nondeterministic,
                .reason = "of two calls on the same content one is right and one is wrong\n" +
                          calls[wrong].judgement.reason,
                .examples = calls[wrong].judgement.examples},
               wrong);
    } else {
      compare_repetition(first.outputs, again.outputs);
    }
  }

  void compare_repetition(const std::vector<at::Tensor>& first,
                          const std::vector<at::Tensor>& again) {
    conclude(passed());
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (!first[i].defined() || same_bytes(first[i], again[i])) continue;
      m_record.bitwise_repeatable = false;
      const Output& output = m_contract.outputs.at(i);
      const at::Tensor expected =
          first[i].is_floating_point() ? first[i].to(at::kDouble) : first[i];
      const Comparison comparison = compare(output, m_limits->at(i), again[i], expected);
      if (comparison.equal) continue;
      conclude({.verdict = Verdict::nondeterministic,
                .reason = "two calls on the same content differ by more than the tolerance\n" +
                          comparison.message,
                .examples = comparison.examples},
               2);
      return;
    }
  }

  std::shared_ptr<const Content> content(std::uint64_t seed) {
    return m_workers.content(content_key(m_case, seed), m_workload.params, [&] {
      Content made = make_content(m_workload, seed, m_workers.device(), m_case.probe);
      m_record.reference_seconds += made.reference_seconds;
      return made;
    });
  }

  // Records the error of torch's own float32 result, beside which the kernel's can be seen.
  void record_eager_errors(const Content& own) {
    const auto start = Clock::now();
    const auto results = eager(m_workload, own.tensors);
    for (OutputError& error : m_record.errors) {
      const auto named = std::find_if(m_contract.outputs.begin(), m_contract.outputs.end(),
                                      [&](const Output& o) { return o.name == error.name; });
      const auto i = static_cast<std::size_t>(named - m_contract.outputs.begin());
      error.eager_max_abs =
          compare(*named, m_limits->at(i), results.at(i).contiguous(), own.references.at(i))
              .max_abs;
    }
    m_record.reference_seconds += std::chrono::duration<double>(Clock::now() - start).count();
  }

  [[nodiscard]] bool spoils_the_gpu() const {
    return lacked_gpu_memory(m_record) ||
           m_record.judgement.cheat_class == CheatClass::left_process;
  }

  void conclude(Judgement judgement) {
    if (m_case.probe) judgement = judged_by_probe(m_workload.task, *m_case.probe, judgement);
    m_record.judgement = m_workers.concluded(std::move(judgement), m_record.name);
  }

  void conclude(Judgement judgement, std::size_t round) {
    judgement.reason += "\nin call " + std::to_string(round + 1) + " of " +
                        std::to_string(rounds.size()) + ": " + rounds.at(round).description;
    conclude(std::move(judgement));
  }

  const Workload m_workload;
  const Contract& m_contract;
  const Case& m_case;
  const bool m_may_refuse;
  const bool m_unmapped;
  KernelWorkers& m_workers;
  PrecisionPools& m_pools;
  OutputLimits m_limits;
  OutputLimits m_other_limits;  // of the other content
  CaseRecord m_record;
};

// On a GPU copies of larger inputs might exceed the claimed memory.
constexpr double most_copied_elements = 32e6;

// The first seed of each config, and drawn configs.
bool ends_at_unmapped_pages(const Task& task, Direction direction, const Case& c, bool gpu) {
  if (c.probe || (c.is_listed() && c.seed != 1)) return false;
  return !gpu || elements_of({task, direction, c.config.params}) <= most_copied_elements;
}

// Indices of the cases: listed ones first, then drawn configs, then probes. Smaller configs come
// first.
std::vector<std::size_t> calling_order(const Task& task, Direction direction,
                                       const std::vector<Case>& cases) {
  std::vector<std::tuple<bool, bool, std::size_t>> keys;
  for (const Case& c : cases) {
    keys.emplace_back(!c.is_listed(), c.probe.has_value(),
                      arena_bytes({task, direction, c.config.params}));
  }
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

// Puts records of cases called in `order` back into the order of the list.
std::vector<CaseRecord> as_listed(std::vector<CaseRecord> called,
                                  const std::vector<std::size_t>& order) {
  std::map<std::size_t, CaseRecord> by_index;
  for (std::size_t i = 0; i < called.size(); ++i) by_index[order[i]] = std::move(called[i]);
  std::vector<CaseRecord> listed;
  for (auto& [index, record] : by_index) listed.push_back(std::move(record));
  return listed;
}

}  // namespace

std::vector<CaseRecord> examine(const Task& task, const Entry& entry, const std::string& library,
                                const std::vector<Case>& cases, const ExamineOptions& options) {
  KernelWorkers workers(task, entry, library, cases, options);
  MemoryRetry retry(options.worker.gpu);
  PrecisionPools pools;
  const Device device = options.worker.gpu ? Device::cuda : Device::cpu;
  std::vector<Params> computed;  // shapes that the kernel was right on, on typical data
  const auto call = [&](const Case& examined) {
    const Params& params = examined.config.params;
    const bool may = !options.require_shapes && may_refuse(examined, device) &&
                     std::ranges::find(computed, params) == computed.end();
    CaseRecord record = retry.run([&](GpuLock::Use use) {
      const bool unmapped =
          ends_at_unmapped_pages(task, entry.direction, examined, options.worker.gpu);
      return CaseExamination(task, entry.direction, examined, may, unmapped, workers, pools)
          .run(use);
    });
    if (!examined.probe && record.judgement.passes()) computed.push_back(params);
    return record;
  };
  CaseChoice choice(cases, calling_order(task, entry.direction, cases), options.slow_calls,
                    workers.nonce());
  std::vector<std::size_t> order;
  std::vector<CaseRecord> called;
  for (auto next = choice.next(); next;) {
    const Case& examined = cases[*next];
    CaseRecord record = call(examined);
    const bool failed = !record.judgement.passes() && !record.refused;
    if (failed && !examined.is_listed()) tell_beyond_listed(record, examined, called);
    choice.called(record);
    order.push_back(*next);
    called.push_back(std::move(record));
    next = calls_next_case(called, options) ? choice.next() : std::nullopt;
    if (!next) {
      const auto left = workers.stop();
      CaseRecord& latest = called.back();
      if (left && outranks(left->verdict, latest.judgement.verdict)) {
        latest.judgement = workers.concluded(*left, latest.name);
        latest.refused = false;
      }
    }
    if (options.on_case) options.on_case(called.back());
  }
  return as_listed(std::move(called), order);
}

}  // namespace robust_kbench
