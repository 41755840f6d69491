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

// The workers of one kernel, one after another. A new one starts when the one before has ended.
class KernelWorkers {
 public:
  // `cases` decide the size of the arena: that of the largest config.
  KernelWorkers(const Task& task, const Entry& entry, std::string library,
                const std::vector<Case>& cases, const ExamineOptions& options);
  ~KernelWorkers();
  KernelWorkers(const KernelWorkers&) = delete;
  KernelWorkers& operator=(const KernelWorkers&) = delete;

  // While a Share lives, the worker may run on its share of the CPUs and of its GPU. Afterwards its
  // threads are stopped where others may time, which on a GPU is always. An exclusive Share kills
  // the workers of this process's other kernels on the device, since stopped workers keep their
  // memory.
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

  // Makes sure that a worker has loaded the kernel and that its signature fits the config. A load
  // that failed once is not tried again.
  std::optional<Judgement> prepare(const Params& params);

  [[nodiscard]] WorkerProcess& worker() { return *m_worker; }
  // The device of the kernel's tensors.
  [[nodiscard]] c10::Device device() const;

  // The content for `key`, made by `make` or by another kernel's workers. If a GPU has no memory
  // for it besides the worker, the worker is killed, and prepare() makes a new one.
  [[nodiscard]] std::shared_ptr<const Content> content(const std::string& key, const Params& params,
                                                       const std::function<Content()>& make);
  // The limits of a case's outputs on content of the kind that `seed` makes. They are measured here
  // or by another kernel's workers, on what `draw` makes of seeds. The worker may be killed in the
  // same way.
  [[nodiscard]] OutputLimits limits(
      const Case& of, std::uint64_t seed,
      const std::function<std::shared_ptr<const Content>(std::uint64_t seed)>& draw);
  // The limits for `key`, of a config with these parameters, likewise.
  [[nodiscard]] OutputLimits limits(const std::string& key, const Params& params,
                                    const std::function<std::vector<PrecisionLimits>()>& measure);

  // A finding where the GPU has hardly any memory left. With shared use any process may have taken
  // it. With exclusive use it is a finding only if this worker took it. The worker is gone then.
  [[nodiscard]] std::optional<Judgement> retained_memory(GpuLock::Use use);

  // For exclusive use of the GPU, after a call that lacked memory and without the worker. Throws
  // OutOfGpuMemory where not even the claimed memory is free, which is not the kernel's fault.
  void require_claimed_memory(GpuLock::Use use) const;

  // After a finding: frees the worker's GPU memory before others are judged by what is free. Throws
  // as require_claimed_memory() where memory was lacking.
  void free_memory_after(const Judgement& finding, GpuLock::Use use);

  // Kills the worker, which frees all its memory. The next call gets a new one.
  void discard_worker();

  // Ends the worker, outside of any share. A finding where it left processes behind.
  std::optional<Judgement> stop();

  [[nodiscard]] std::uint64_t nonce() const { return m_nonce; }
  // What the kernel prints from here on is that of a case.
  void begin_output();
  // The case's judgement with what the kernel printed in it: if the case failed, or if the options
  // want it of every case. Appends the command that replays a failure to the reason, if the options
  // name one.
  [[nodiscard]] Judgement concluded(Judgement judgement, const std::string& case_name) const;

 private:
  // Does work that takes GPU memory, for a call of a config, beside the worker or without it.
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
  LimitsCache* m_limits;  // these, or those shared with other kernels
  const bool m_memory_is_claimed;
  std::uint64_t m_nonce;
  std::unique_ptr<WorkerProcess> m_worker;
  // Contents of calls as large as this are made before there is a worker. Both fit in memory, but
  // making the content needs more than is free besides the worker.
  std::size_t m_too_large_beside_worker = std::numeric_limits<std::size_t>::max();
  bool m_leaves_memory = false;  // known to, however little there is
  Loaded m_loaded;
  std::optional<Judgement> m_load_failure;
};

}  // namespace robust_kbench
