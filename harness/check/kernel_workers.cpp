#include "check/kernel_workers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "check/batch.hpp"
#include "check/case_limits.hpp"
#include "check/detect/retained_gpu_memory.hpp"
#include "check/gpu_demand.hpp"
#include "check/signature.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/gpu_memory_wait.hpp"
#include "device/gpu_reserve.hpp"
#include "tensor/torch_cuda.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds gpu_pause{250};

// All KernelWorkers of this process on one device.
class AllWorkers {
 public:
  void add(KernelWorkers& workers) {
    const std::scoped_lock lock(m_mutex);
    m_all.insert(&workers);
  }
  void remove(KernelWorkers& workers) {
    const std::scoped_lock lock(m_mutex);
    m_all.erase(&workers);
  }
  // Call it only while none of the others has a share of the device.
  void discard_workers_but(const KernelWorkers& one) {
    const std::scoped_lock lock(m_mutex);
    for (KernelWorkers* workers : m_all) {
      if (workers != &one) workers->discard_worker();
    }
  }

 private:
  std::mutex m_mutex;
  std::set<KernelWorkers*> m_all;
};

AllWorkers& all_workers(bool gpu) {
  static AllWorkers on_gpu;
  static AllWorkers on_cpu;
  return gpu ? on_gpu : on_cpu;
}

// If a kernel ends its worker while it is loaded, it is a load error, whatever the exit code.
Judgement load_failure(Judgement judgement) {
  if (judgement.verdict == Verdict::crash || judgement.verdict == Verdict::exception) {
    judgement.verdict = Verdict::load_error;
  }
  return judgement;
}

}  // namespace

KernelWorkers::KernelWorkers(const Task& task, const Entry& entry, std::string library,
                             const std::vector<Case>& cases, const ExamineOptions& options)
    : m_task(task),
      m_entry(entry),
      m_library(std::move(library)),
      m_options(options.worker),
      m_replay_command(options.replay_command),
      m_output_of_all(options.output_of_all),
      m_contents(options.contents),
      m_limits(options.limits != nullptr ? options.limits : &m_own_limits),
      m_memory_is_claimed(options.memory_is_claimed),
      m_nonce(options.nonce == 0 ? secret_key() : options.nonce) {
  m_options.readable.push_back(m_library);
  m_options.arena_bytes = largest_arena(task, entry.direction, cases, 1, m_options.gpu);
  all_workers(m_options.gpu).add(*this);
}

KernelWorkers::~KernelWorkers() {
  all_workers(m_options.gpu).remove(*this);
}

KernelWorkers::Share::Share(KernelWorkers& workers, GpuLock::Use use)
    : m_workers(workers), m_cpu(workers.m_options.gpu ? GpuLock::Use::shared : use) {
  if (workers.m_options.gpu) m_lock.emplace(use);
  if (use == GpuLock::Use::exclusive)
    all_workers(workers.m_options.gpu).discard_workers_but(workers);
  if (workers.m_worker) workers.m_worker->resume();
}

KernelWorkers::Share::~Share() {
  if (m_workers.m_worker && (m_lock || CpuLock::is_awaited())) m_workers.m_worker->pause();
}

std::optional<Judgement> KernelWorkers::prepare(const Params& params) {
  if (m_load_failure) return m_load_failure;
  if (!m_worker || !m_worker->alive()) m_load_failure = load();
  if (m_load_failure) return m_load_failure;
  const std::string function = load_of(m_library, m_entry.direction, m_options).entry;
  if (auto mismatch = signature_mismatch(function, {m_task, m_entry.direction, params}, m_loaded)) {
    return Judgement{.verdict = Verdict::load_error, .reason = *std::move(mismatch)};
  }
  return std::nullopt;
}

c10::Device KernelWorkers::device() const {
  return device_for(m_options.gpu);
}

template <typename Work>
auto KernelWorkers::beside_worker(const Params& params, const Work& work) {
  const std::size_t bytes = arena_bytes({m_task, m_entry.direction, params}, 1, m_options.gpu);
  if (bytes >= m_too_large_beside_worker) discard_worker();
  if (m_options.gpu) open_gpu_reserve();
  if (!m_worker) return work();
  try {
    const NoGpuMemoryWait own_worker_first;
    return work();
  } catch (const OutOfGpuMemory&) {
    m_too_large_beside_worker = bytes;
    discard_worker();
    return work();
  }
}

std::shared_ptr<const Content> KernelWorkers::content(const std::string& key, const Params& params,
                                                      const std::function<Content()>& make) {
  return beside_worker(params, [&] {
    return m_contents != nullptr ? m_contents->get(key, make)
                                 : std::make_shared<const Content>(make());
  });
}

OutputLimits KernelWorkers::limits(
    const Case& of, std::uint64_t seed,
    const std::function<std::shared_ptr<const Content>(std::uint64_t seed)>& draw) {
  const auto measure = [&] {
    return case_limits({m_task, m_entry.direction, of.config.params}, of, seed, draw);
  };
  return limits(content_kind(of, seed), of.config.params, measure);
}

OutputLimits KernelWorkers::limits(const std::string& key, const Params& params,
                                   const std::function<std::vector<PrecisionLimits>()>& measure) {
  return beside_worker(params, [&] { return m_limits->get(key, measure); });
}

std::optional<Judgement> KernelWorkers::retained_memory(GpuLock::Use use) {
  if (!m_options.gpu || m_leaves_memory || !m_worker) return std::nullopt;
  std::optional<Judgement> finding = scarce_gpu_memory();
  if (!finding || use == GpuLock::Use::shared) return finding;
  finding = retained_gpu_memory(m_options.arena_bytes, [this] { discard_worker(); });
  m_leaves_memory = !finding;
  return finding;
}

void KernelWorkers::require_claimed_memory(GpuLock::Use use) const {
  if (!m_memory_is_claimed || use == GpuLock::Use::shared) return;
  require_claimed_gpu_memory(worker_gpu_bytes(m_options.arena_bytes));
}

void KernelWorkers::free_memory_after(const Judgement& finding, GpuLock::Use use) {
  if (m_options.gpu) discard_worker();
  if (finding.verdict == Verdict::out_of_memory) require_claimed_memory(use);
}

std::optional<Judgement> KernelWorkers::load() {
  Outcome<Loaded> outcome = load_in_new_worker();
  if (auto* judgement = std::get_if<Judgement>(&outcome)) return load_failure(*judgement);
  m_loaded = std::get<Loaded>(std::move(outcome));
  return std::nullopt;
}

// Retries for a while, since other processes may hold all memory of the GPU but end soon.
Outcome<Loaded> KernelWorkers::load_in_new_worker() {
  const auto deadline = std::chrono::steady_clock::now() + broker_gpu_memory_wait;
  while (true) {
    try {
      m_worker.reset();
      if (m_options.gpu) hold_gpu_reserve();
      m_worker = std::make_unique<WorkerProcess>(m_options);
      return m_worker->load(load_of(m_library, m_entry.direction, m_options));
    } catch (const HarnessError&) {
      if (!m_options.gpu || std::chrono::steady_clock::now() > deadline) throw;
      std::this_thread::sleep_for(gpu_pause);
    }
  }
}

void KernelWorkers::discard_worker() {
  m_worker.reset();
  m_load_failure.reset();
}

void KernelWorkers::set_threads(int threads) {
  discard_worker();
  m_options.threads = threads;
}

std::optional<Judgement> KernelWorkers::stop() {
  const Share share(*this, GpuLock::Use::shared);
  if (!m_worker || !m_worker->alive()) return std::nullopt;
  const int left = m_worker->stop();
  if (left == 0) return std::nullopt;
  return cheat(CheatClass::left_process, "the kernel left " + std::to_string(left) +
                                             (left == 1 ? " process" : " processes") +
                                             " behind when its worker ended");
}

void KernelWorkers::begin_output() {
  if (m_worker) m_worker->forget_output();
}

Judgement KernelWorkers::concluded(Judgement judgement, const std::string& case_name) const {
  const bool failed = !judgement.passes();
  if ((failed || m_output_of_all) && m_worker && judgement.output.empty()) {
    judgement.output = m_worker->output();
  }
  if (!failed || m_replay_command.empty()) return judgement;
  std::array<char, 24> nonce{};
  std::snprintf(nonce.data(), nonce.size(), "0x%llx", static_cast<unsigned long long>(m_nonce));
  judgement.reason += "\n" + m_replay_command + " --case " + case_name + " --nonce " + nonce.data();
  return judgement;
}

}  // namespace robust_kbench
