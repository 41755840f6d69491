#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/content_cache.hpp"
#include "check/examiner.hpp"
#include "core/judgement.hpp"
#include "device/cpu_lock.hpp"
#include "device/gpu_lock.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The workers of one kernel, one after another: a new one when the one before has ended.
class KernelWorkers {
 public:
  // `cases` decide the size of the arena: that of the largest config.
  KernelWorkers(const Task& task, const Entry& entry, std::string library,
                const std::vector<Case>& cases, const ExamineOptions& options);
  ~KernelWorkers();
  KernelWorkers(const KernelWorkers&) = delete;
  KernelWorkers& operator=(const KernelWorkers&) = delete;

  // While one lives the worker may run: it has a share of the processors, and of its GPU. In
  // between all of its threads are stopped where somebody may time: on a GPU always. Who has the
  // device alone takes the workers of this process's other kernels there away, which keep their
  // memory meanwhile.
  class Share {
   public:
    Share(KernelWorkers& workers, GpuLock::Use use);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    KernelWorkers& m_workers;
    const CpuLock m_cpu;
    std::optional<GpuLock> m_lock;
  };

  // Makes sure that a worker has loaded the kernel and that its signature fits the config. What
  // failed once is not tried again.
  std::optional<Judgement> prepare(const Params& params);

  [[nodiscard]] WorkerProcess& worker() { return *m_worker; }
  // Where the kernel's tensors are.
  [[nodiscard]] c10::Device device() const;

  // What `make` makes of `key` for a config, or what another kernel's workers have made of it.
  // Where a GPU has no memory for that beside the worker, the worker is gone afterwards: prepare()
  // makes a new one.
  [[nodiscard]] std::shared_ptr<const Content> content(const std::string& key, const Params& params,
                                                       const std::function<Content()>& make);

  // A finding where the worker has left the GPU hardly any memory: used beside others, whoever has
  // it; alone, where it is this worker, which is gone afterwards.
  [[nodiscard]] std::optional<Judgement> retained_memory(GpuLock::Use use);

  // For who has the GPU alone, after a call that lacked memory, without the worker: throws
  // OutOfGpuMemory where not even that is free which was claimed for it. That is no fault of the
  // kernel's.
  void require_claimed_memory(GpuLock::Use use) const;

  // Kills the worker, with all memory that it has; the next call gets a new one.
  void discard_worker();

  // Ends the worker, outside of any share. A finding where it left processes behind.
  std::optional<Judgement> stop();

  [[nodiscard]] std::uint64_t nonce() const { return m_nonce; }
  // Its reason then ends, where the options say how, with the command that replays the case.
  [[nodiscard]] Judgement with_replay(Judgement judgement, const std::string& case_name) const;

 private:
  std::optional<Judgement> load();
  Outcome<Loaded> load_in_new_worker();

  const Task& m_task;
  Entry m_entry;
  std::string m_library;
  WorkerOptions m_options;
  std::string m_replay_command;
  ContentCache* m_contents;
  const bool m_memory_is_claimed;
  std::uint64_t m_nonce;
  std::unique_ptr<WorkerProcess> m_worker;
  // Contents of calls as large as this are made before there is a worker: both fit, but not to make
  // the one beside the other.
  std::size_t m_too_large_beside_worker = std::numeric_limits<std::size_t>::max();
  bool m_leaves_memory = false;  // known to, however little there is
  Loaded m_loaded;
  std::optional<Judgement> m_load_failure;
};

}  // namespace robust_kbench
