#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "bench/keeper.hpp"
#include "bench/kernel_timer.hpp"

namespace robust_kbench {

// Times the kernels of an entry, one turn after another, beside baselines that stay.
class TimingSlot {
 public:
  // The arguments must outlive this object, except the keeper, which ends first.
  TimingSlot(const Manifest& manifest, const Task& task, Entry entry, Device device,
             const BenchOptions& options, LimitsCache& limits, Keeper& keeper);
  TimingSlot(const TimingSlot&) = delete;
  TimingSlot& operator=(const TimingSlot&) = delete;

  // Starts the baselines if they have not started, without waiting for them.
  void start(const std::vector<Config>& configs, std::size_t kernels);

  // The number of kernels like this one that may share a turn against these rivals.
  [[nodiscard]] std::size_t max_entrants(const std::vector<Config>& configs,
                                         const BuiltKernel& kernel,
                                         const std::vector<BuiltKernel>& rivals) const;

  // A period in which these kernels may be timed on these configs. It ends with the scope.
  class Turn {
   public:
    // The previous turn must have ended. Memory is planned for `planned` kernels. A turn may have
    // more, up to max_entrants(). Throws Cancelled once `stop` is requested.
    Turn(TimingSlot& slot, const std::vector<Config>& configs,
         const std::vector<BuiltKernel>& kernels, std::size_t planned, const std::stop_token& stop);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // Adds further kernels, as KernelTimer::Turn::add() does.
    void add(const std::vector<BuiltKernel>& kernels, std::size_t place) {
      m_turn->add(kernels, place);
    }
    [[nodiscard]] KernelTimer& timer() { return *m_timer; }
    // Call it when the harness has failed, which the baselines may have caused. The next turn gets
    // new baselines.
    void discard_baselines() { m_failed = true; }

   private:
    TimingSlot& m_slot;
    KernelTimer* m_timer = nullptr;
    std::optional<KernelTimer::Turn> m_turn;
    bool m_failed = false;
  };

  // Both run in the keeper's thread. rest() lets the baselines free their memory.
  // discard_baselines() ends them where no turn is under way.
  void rest();
  void discard_baselines();

 private:
  // Makes a timer with room for this many kernels. Runs in the keeper's thread, as all uses of the
  // timer do.
  void require_room(const std::vector<Config>& configs, std::size_t kernels);
  void set_taken(bool taken);

  const Manifest& m_manifest;
  const Task& m_task;
  const Entry m_entry;
  const Device m_device;
  const BenchOptions& m_options;
  LimitsCache& m_limits;
  Keeper& m_keeper;
  std::unique_ptr<KernelTimer> m_timer;
  std::atomic<std::size_t> m_max_kernels = 0;  // room of the timer
  std::optional<Config> m_largest;
  std::mutex m_mutex;
  bool m_taken = false;
};

}  // namespace robust_kbench
