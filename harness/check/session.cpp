#include "check/session.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "check/batch.hpp"
#include "check/detect/retained_gpu_memory.hpp"
#include "check/gpu_demand.hpp"
#include "check/signature.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/gpu_patience.hpp"
#include "device/gpu_reserve.hpp"
#include "tensor/reference.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds gpu_pause{250};

// All of this process that may have a worker on one device.
class Sessions {
 public:
  void add(KernelSession& session) {
    const std::scoped_lock lock(m_mutex);
    m_sessions.insert(&session);
  }
  void remove(KernelSession& session) {
    const std::scoped_lock lock(m_mutex);
    m_sessions.erase(&session);
  }
  // Only while none of them has a share of the device.
  void discard_workers_but(const KernelSession& one) {
    const std::scoped_lock lock(m_mutex);
    for (KernelSession* session : m_sessions) {
      if (session != &one) session->discard_worker();
    }
  }

 private:
  std::mutex m_mutex;
  std::set<KernelSession*> m_sessions;
};

Sessions& sessions(bool gpu) {
  static Sessions on_gpu;
  static Sessions on_cpu;
  return gpu ? on_gpu : on_cpu;
}

// A kernel that ends its worker while it is loaded cannot be loaded, whatever its exit code.
Judgement load_failure(Judgement judgement) {
  if (judgement.verdict == Verdict::crash || judgement.verdict == Verdict::exception) {
    judgement.verdict = Verdict::load_error;
  }
  return judgement;
}

}  // namespace

KernelSession::KernelSession(const Task& task, const Entry& entry, std::string library,
                             const std::vector<Case>& cases, const ExamineOptions& options)
    : m_task(task),
      m_entry(entry),
      m_library(std::move(library)),
      m_options(options.worker),
      m_replay_command(options.replay_command),
      m_contents(options.contents),
      m_memory_is_claimed(options.memory_is_claimed),
      m_nonce(options.nonce == 0 ? secret_key() : options.nonce) {
  m_options.arena_bytes = largest_arena(task, entry.direction, cases, 1, m_options.gpu);
  sessions(m_options.gpu).add(*this);
}

KernelSession::~KernelSession() {
  sessions(m_options.gpu).remove(*this);
}

KernelSession::Share::Share(KernelSession& session, GpuLock::Use use)
    : m_session(session), m_cpu(session.m_options.gpu ? GpuLock::Use::test : use) {
  if (session.m_options.gpu) m_lock.emplace(use);
  if (use == GpuLock::Use::time) sessions(session.m_options.gpu).discard_workers_but(session);
  if (session.m_worker) session.m_worker->resume();
}

KernelSession::Share::~Share() {
  if (m_session.m_worker && (m_lock || CpuLock::is_awaited())) m_session.m_worker->pause();
}

std::optional<Judgement> KernelSession::prepare(const Params& params) {
  if (m_load_failure) return m_load_failure;
  if (!m_worker || !m_worker->alive()) m_load_failure = load();
  if (m_load_failure) return m_load_failure;
  const auto arguments = contract(m_task, m_entry.direction).arguments(params);
  if (auto mismatch = signature_mismatch(m_entry.direction, arguments, params, m_loaded)) {
    return Judgement{.verdict = Verdict::load_error, .reason = *std::move(mismatch)};
  }
  return std::nullopt;
}

c10::Device KernelSession::device() const {
  return device_for(m_options.gpu);
}

std::shared_ptr<const Content> KernelSession::content(const std::string& key, const Params& params,
                                                      const std::function<Content()>& make) {
  const auto get = [&] {
    return m_contents != nullptr ? m_contents->get(key, make) : std::make_shared<Content>(make());
  };
  const std::size_t bytes = arena_bytes(m_task, m_entry.direction, params, 1, m_options.gpu);
  if (bytes >= m_too_large_beside_worker) discard_worker();
  if (m_options.gpu) open_gpu_reserve();
  if (!m_worker) return get();
  try {
    const GpuImpatience own_worker_first;
    return get();
  } catch (const OutOfGpuMemory&) {
    m_too_large_beside_worker = bytes;
    discard_worker();
    return get();
  }
}

std::optional<Judgement> KernelSession::retained_memory(GpuLock::Use use) {
  if (!m_options.gpu || m_leaves_memory || !m_worker) return std::nullopt;
  std::optional<Judgement> finding = scarce_gpu_memory();
  if (!finding || use == GpuLock::Use::test) return finding;
  finding = retained_gpu_memory(m_options.arena_bytes, [this] { discard_worker(); });
  m_leaves_memory = !finding;
  return finding;
}

void KernelSession::require_claimed_memory(GpuLock::Use use) const {
  if (!m_memory_is_claimed || use == GpuLock::Use::test) return;
  require_claimed_gpu_memory(worker_gpu_bytes(m_options.arena_bytes));
}

std::optional<Judgement> KernelSession::load() {
  Outcome<Loaded> outcome = load_in_new_worker();
  if (auto* judgement = std::get_if<Judgement>(&outcome)) return load_failure(*judgement);
  m_loaded = std::get<Loaded>(std::move(outcome));
  return std::nullopt;
}

// Other processes may have all memory of the GPU, and be gone soon.
Outcome<Loaded> KernelSession::load_in_new_worker() {
  const auto deadline = std::chrono::steady_clock::now() + broker_gpu_patience;
  while (true) {
    try {
      m_worker.reset();
      if (m_options.gpu) hold_gpu_reserve();
      m_worker = std::make_unique<WorkerProcess>(m_options);
      return m_worker->load({m_library, std::string(to_string(m_entry.direction))});
    } catch (const HarnessError&) {
      if (!m_options.gpu || std::chrono::steady_clock::now() > deadline) throw;
      std::this_thread::sleep_for(gpu_pause);
    }
  }
}

void KernelSession::discard_worker() {
  m_worker.reset();
  m_load_failure.reset();
}

std::optional<Judgement> KernelSession::stop() {
  const Share share(*this, GpuLock::Use::test);
  if (!m_worker || !m_worker->alive()) return std::nullopt;
  const int left = m_worker->stop();
  if (left == 0) return std::nullopt;
  return cheat(CheatClass::left_process, "the kernel left " + std::to_string(left) +
                                             (left == 1 ? " process" : " processes") +
                                             " behind when its worker ended");
}

Judgement KernelSession::with_replay(Judgement judgement, const std::string& case_name) const {
  if (m_replay_command.empty()) return judgement;
  std::array<char, 24> nonce{};
  std::snprintf(nonce.data(), nonce.size(), "0x%llx", static_cast<unsigned long long>(m_nonce));
  judgement.reason += "\n" + m_replay_command + " --case " + case_name + " --nonce " + nonce.data();
  return judgement;
}

}  // namespace robust_kbench
