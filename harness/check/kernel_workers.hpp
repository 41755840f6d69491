#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/content_cache.hpp"
#include "check/examiner.hpp"
#include "check/limits_cache.hpp"
#include "core/judgement.hpp"
#include "device/cpu_lock.hpp"
#include "device/gpu_lock.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The workers of one kernel, one after another. A new one starts when the previous one has ended.
class KernelWorkers {
 public:
  // `cases` decide the arena's size, which is that of the largest config.
  KernelWorkers(const Task& task, const Entry& entry, std::string library,
                const std::vector<Case>& cases, const ExamineOptions& options);
  ~KernelWorkers();
  KernelWorkers(const KernelWorkers&) = delete;
  KernelWorkers& operator=(const KernelWorkers&) = delete;

  // While a Share exists, the worker may run on its part of the CPUs and of its GPU. Afterwards its
  // threads are stopped if others may time, which on a GPU is always. An exclusive Share kills the
  // workers of this process's other kernels on the device, since stopped workers keep their memory.
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

  // Ensures that a worker has loaded the kernel and that the kernel's signature fits the config. A
  // load that failed once is not tried again.
  std::optional<Judgement> prepare(const Params& params);

  [[nodiscard]] WorkerProcess& worker() { return *m_worker; }
  // The device of the kernel's tensors.
  [[nodiscard]] c10::Device device() const;

  // The content for `key`, made by `make` or by another kernel's workers. If a GPU lacks memory for
  // it beside the worker, the worker is killed, and prepare() starts a new one.
  [[nodiscard]] std::shared_ptr<const Content> content(const std::string& key, const Params& params,
                                                       const std::function<Content()>& make);
  // The limits of a case's outputs on content of the kind that `seed` makes. They are measured here
  // or by another kernel's workers, on content that `draw` makes from seeds. The worker may be
  // killed as for content().
  [[nodiscard]] OutputLimits limits(
      const Case& of, std::uint64_t seed,
      const std::function<std::shared_ptr<const Content>(std::uint64_t seed)>& draw);
  // The limits for `key`, which `measure` finds for a config with these parameters. The worker may
  // be killed as for content().
  [[nodiscard]] OutputLimits limits(const std::string& key, const Params& params,
                                    const std::function<std::vector<PrecisionLimits>()>& measure);

  // A finding if the GPU has hardly any memory left. With shared use any process may have taken it.
  // With exclusive use it is a finding only if this worker took it. The worker is killed then.
  [[nodiscard]] std::optional<Judgement> retained_memory(GpuLock::Use use);

  // Call it with exclusive use of the GPU, after a call that lacked memory and without the worker.
  // Throws OutOfGpuMemory if not even the claimed memory is free, which is not the kernel's fault.
  void require_claimed_memory(GpuLock::Use use) const;

  // After a finding, frees the worker's GPU memory before others are judged by the free memory.
  // Throws as require_claimed_memory() if the finding is a lack of memory.
  void free_memory_after(const Judgement& finding, GpuLock::Use use);

  // Kills the worker, which frees all its memory. The next call gets a new one.
  void discard_worker();
  // Kills the worker. The next one may use so many threads (OMP_NUM_THREADS).
  void set_threads(int threads);

  // Ends the worker, outside of any share. Returns a finding if it left processes behind.
  std::optional<Judgement> stop();

  [[nodiscard]] std::uint64_t nonce() const { return m_nonce; }
  // Forgets earlier output, so that later output counts as that of the next case.
  void begin_output();
  // The case's judgement, with the kernel's output if the case failed or the options ask for it
  // always. Appends the command that replays a failure to the reason, if the options have one.
  [[nodiscard]] Judgement concluded(Judgement judgement, const std::string& case_name) const;

 private:
  // Does work that takes GPU memory for a call of a config. If memory is lacking, it kills the
  // worker and repeats the work.
  template <typename Work>
  auto beside_worker(const Params& params, const Work& work);
  std::optional<Judgement> load();
  Outcome<Loaded> load_in_new_worker();

  const Task& m_task;
  Entry m_entry;
  std::string m_library;
  WorkerOptions m_options;
  std::string m_replay_command;
  const bool m_output_of_all;
  ContentCache* m_contents;
  LimitsCache m_own_limits;
  LimitsCache* m_limits;  // m_own_limits, or those shared with other kernels
  const bool m_memory_is_claimed;
  std::uint64_t m_nonce;
  std::unique_ptr<WorkerProcess> m_worker;
  // Contents of calls of this size or larger are made before a worker starts. Both fit in memory,
  // but making the content takes more than is free beside the worker.
  std::size_t m_too_large_beside_worker = std::numeric_limits<std::size_t>::max();
  bool m_leaves_memory = false;  // the kernel is known not to hold too much
  Loaded m_loaded;
  std::optional<Judgement> m_load_failure;
};

}  // namespace robust_kbench
