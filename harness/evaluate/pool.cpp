#include "evaluate/pool.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "bench/session.hpp"
#include "bench/worker_budget.hpp"
#include "check/batch.hpp"
#include "check/bytes.hpp"
#include "check/call_checker.hpp"
#include "check/content_cache.hpp"
#include "check/gpu_demand.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_lock.hpp"
#include "device/gpu_patience.hpp"
#include "evaluate/pool_demand.hpp"
#include "process/affinity.hpp"
#include "tensor/gpu_claim.hpp"
#include "tensor/reference.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/arange.h>

namespace robust_kbench {
namespace {

constexpr int most_jobs = 8;
// Of the GPU's memory, for references that are kept.
constexpr std::size_t cache_part = 6;

// CUDA loads the code of an operator when it is first used: before there is a kernel that may have
// left no memory for it. What fails here fails again where somebody is told.
void load_code(const Task& task, Direction direction, const std::vector<Config>& configs) try {
  if (configs.empty()) return;
  const auto arena = [&](const Config& config) {
    return arena_bytes(task, direction, config.params, 1, /*gpu=*/true);
  };
  const Params& smallest =
      std::min_element(configs.begin(), configs.end(), [&](const Config& a, const Config& b) {
        return arena(a) < arena(b);
      })->params;
  const GpuLock share(GpuLock::Use::test);
  const Content content = make_content(task, direction, smallest, 1, device_for(/*gpu=*/true));
  judge_outputs(contract(task, direction), eager(task, direction, smallest, content.tensors),
                content.references);
  const Arena looked_at = Arena::create_on_gpu(std::size_t{1} << 20);
  words_at(looked_at, {0});
  words_equal(looked_at, {0}, {-1}, 0).any().item<bool>();
  const at::Tensor bytes = bytes_at(looked_at, 0, sizeof(std::int64_t));
  same_bytes(bytes,
             bytes.index_select(0, at::arange(bytes.numel(), bytes.options().dtype(at::kLong))));
  bytes.view(at::kLong).eq(0).all().item<bool>();
} catch (const std::exception&) {
}

class Pool {
 public:
  Pool(const Manifest& manifest, const Task& task, const std::vector<KernelSource>& kernels,
       const PoolOptions& options)
      : m_manifest(manifest),
        m_task(task),
        m_kernels(kernels),
        m_options(options),
        m_jobs(std::min(options.jobs, static_cast<int>(kernels.size()))),
        m_records(kernels.size()) {
    const KernelSource& first = kernels.front();
    if (first.device != "cuda" || kernels.size() == 1) return;
    if (!skip_reason(first, manifest.toolchain).empty()) return;
    const EvaluateOptions evaluate_options = options.options_of(first);
    const std::vector<Config> tested = tested_configs(manifest, task, first, evaluate_options);
    if (evaluate_options.bench) {
      m_bench_options = bench_options(first, evaluate_options);
      m_timed_configs = timed_configs(manifest, task, first, evaluate_options);
    }
    const PoolDemand::Shares shares = claim_memory(tested, evaluate_options);
    m_jobs = shares.jobs;
    m_contents.emplace(shares.cache_bytes);
    load_code(task, first.entry.direction, tested);
    if (!evaluate_options.bench) return;
    // In this thread, which outlives the others: a worker dies with the thread that has made it.
    m_session.emplace(manifest, task, first.entry, first.device, m_timed_configs,
                      std::vector<BuiltKernel>{}, m_bench_options);
  }

  std::vector<KernelRecord> run() {
    const auto jobs = std::min(static_cast<std::size_t>(m_jobs), m_kernels.size());
    if (jobs <= 1) {
      evaluate_in_turn();
    } else {
      std::vector<std::thread> threads;
      const std::vector<int> cpus = cpus_beside_timing();
      for (std::size_t i = 0; i < jobs; ++i) {
        threads.emplace_back([&] {
          const ScopedAffinity beside_timing(cpus);
          evaluate_in_turn();
        });
      }
      for (std::thread& thread : threads) thread.join();
    }
    if (m_error) std::rethrow_exception(m_error);
    return std::move(m_records);
  }

 private:
  // At once, since who holds some of it must not wait for more.
  PoolDemand::Shares claim_memory(const std::vector<Config>& tested,
                                  const EvaluateOptions& options) {
    const Direction direction = m_kernels.front().entry.direction;
    const std::size_t of_timing =
        options.bench
            ? timing_in_turns_gpu_bytes(m_task, direction, m_timed_configs, m_bench_options)
            : 0;
    const std::size_t of_job =
        examination_gpu_bytes(largest_arena(m_task, direction, tested, 1, /*gpu=*/true));
    const PoolDemand demand(of_timing, of_job, gpu_facts().memory_bytes / cache_part);
    m_claim = GpuClaim::wait(demand.least(), demand.most(m_jobs), options.on_progress);
    return demand.split(m_claim->bytes(), m_jobs);
  }

  void evaluate_in_turn() {
    for (std::size_t i = m_next++; i < m_kernels.size(); i = m_next++) {
      try {
        m_records[i] = or_harness_failed(m_kernels[i], [&] { return evaluate_one(m_kernels[i]); });
      } catch (const UserError&) {
        const std::scoped_lock lock(m_mutex);
        m_error = std::current_exception();
        m_next = m_kernels.size();
        return;
      }
      const std::scoped_lock lock(m_mutex);
      if (m_options.on_done) m_options.on_done(m_kernels[i], m_records[i]);
    }
  }

  KernelRecord evaluate_one(const KernelSource& kernel) {
    try {
      return evaluate_beside_others(kernel);
    } catch (const std::exception& error) {
      if (!tells_of_missing_gpu_memory(error.what())) throw;
      // Another kernel may have had it for longer than anything waits.
      return evaluate_beside_others(kernel);
    }
  }

  KernelRecord evaluate_beside_others(const KernelSource& kernel) {
    EvaluateOptions options = m_options.options_of(kernel);
    options.session = m_session ? &*m_session : nullptr;
    options.contents = m_contents ? &*m_contents : nullptr;
    options.claim = m_claim.get();
    if (options.nonce == 0 && m_contents) options.nonce = m_nonce;
    return evaluate(m_manifest, m_task, kernel, options);
  }

  const Manifest& m_manifest;
  const Task& m_task;
  const std::vector<KernelSource>& m_kernels;
  const PoolOptions& m_options;
  int m_jobs;
  const std::uint64_t m_nonce = secret_key();
  std::unique_ptr<GpuClaim> m_claim;  // on all that follows
  std::optional<ContentCache> m_contents;
  BenchOptions m_bench_options;
  std::vector<Config> m_timed_configs;
  std::optional<BenchSession> m_session;
  std::atomic<std::size_t> m_next = 0;
  std::mutex m_mutex;
  std::exception_ptr m_error;
  std::vector<KernelRecord> m_records;
};

}  // namespace

int usual_jobs(const std::string& device) {
  if (device != "cuda") return 1;
  return std::clamp(static_cast<int>(usable_cpus().size()) / 2, 1, most_jobs);
}

std::vector<KernelRecord> evaluate_all(const Manifest& manifest, const Task& task,
                                       const std::vector<KernelSource>& kernels,
                                       const PoolOptions& options) {
  if (kernels.empty()) return {};
  return Pool(manifest, task, kernels, options).run();
}

}  // namespace robust_kbench
