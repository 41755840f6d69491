#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "bench/kernel_timer.hpp"
#include "evaluate/keeper.hpp"

namespace robust_kbench {

// Where the kernels of an entry are timed, one turn after another, beside baselines that stay.
class TimingSlot {
 public:
  // The arguments outlive it, but for the keeper, which ends first.
  TimingSlot(const Manifest& manifest, const Task& task, Entry entry, Device device,
             const BenchOptions& options, Keeper& keeper);
  TimingSlot(const TimingSlot&) = delete;
  TimingSlot& operator=(const TimingSlot&) = delete;

  // Starts the baselines where there are none yet, and does not wait for them.
  void start(const std::vector<Config>& configs, std::size_t kernels);

  // These kernels may be timed on these configs to the end of the scope.
  class Turn {
   public:
    // Waits for the turns before. Throws Cancelled once `stop` is requested.
    Turn(TimingSlot& slot, const std::vector<Config>& configs,
         const std::vector<BuiltKernel>& kernels, const std::stop_token& stop);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    [[nodiscard]] KernelTimer& timer() { return *m_timer; }
    // The harness has failed, maybe for the sake of the baselines: the next turn gets new ones.
    void discard_baselines() { m_failed = true; }

   private:
    TimingSlot& m_slot;
    KernelTimer* m_timer = nullptr;
    std::optional<KernelTimer::Turn> m_turn;
    bool m_failed = false;
  };

  // By the keeper's thread: baselines unload what they have; or end, where no turn is under way.
  void rest();
  void discard_baselines();

 private:
  // By the keeper's thread, as all that touches the timer: one that has room for this.
  void require_room(const std::vector<Config>& configs, std::size_t kernels);
  void take(const std::stop_token& stop);
  void give_back();

  const Manifest& m_manifest;
  const Task& m_task;
  const Entry m_entry;
  const Device m_device;
  const BenchOptions& m_options;
  Keeper& m_keeper;
  std::unique_ptr<KernelTimer> m_timer;
  std::size_t m_max_kernels = 0;  // that the timer has room for
  std::optional<Config> m_largest;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  bool m_taken = false;
};

}  // namespace robust_kbench
