#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>

#include "tensor/gpu_claim.hpp"

namespace robust_kbench {

// What a submission takes of a GPU's memory.
struct GpuDemand {
  std::size_t test_bytes = 0;  // for its cases
  std::size_t time_bytes = 0;  // for all that is timed, which the submissions share
};

// Lets submissions onto the GPU. All that they may take there is claimed as a whole before any of
// it is taken (tensor/gpu_claim.hpp), so that nobody waits for memory who holds some.
class GpuAdmission {
 public:
  using OnWait = MemoryClaim::OnWait;

  // `max_jobs`: let in at a time, where there is memory for so many. `on_claim` is told how much of
  // a new claim is for references that are kept. `on_release` gives back what was kept under the
  // claim that ends.
  GpuAdmission(int max_jobs, std::function<void(std::size_t cache_bytes)> on_claim,
               std::function<void()> on_release);

  // Of a submission that was let in, to the end of the scope.
  class Place {
   public:
    // False where more was claimed than there is: then nothing says that it is free.
    [[nodiscard]] bool is_promise() const { return m_is_promise; }

   private:
    friend GpuAdmission;
    explicit Place(GpuAdmission& admission);
    struct Leave {
      void operator()(GpuAdmission* admission) const { admission->leave(); }
    };
    std::unique_ptr<GpuAdmission, Leave> m_admission;
    bool m_is_promise;
  };

  // Waits for a place, and for the memory. Throws Cancelled once `stop` is requested.
  Place enter(const GpuDemand& demand, const std::stop_token& stop, const OnWait& on_wait);

  // Gives the claim back where nobody is in. What was kept under it is gone already.
  void rest();

 private:
  [[nodiscard]] bool fits(const GpuDemand& demand) const;
  // By the one who holds `lock`, which is open while it waits.
  void claim(std::unique_lock<std::mutex>& lock, const GpuDemand& demand, const OnWait& on_wait);
  void leave();

  const int m_max_jobs;
  const std::function<void(std::size_t)> m_on_claim;
  const std::function<void()> m_on_release;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::unique_ptr<GpuClaim> m_claim;
  GpuDemand m_claimed;  // for one submission, and what is timed
  int m_places = 0;
  int m_inside = 0;
  int m_outgrown = 0;  // who wait until nobody is in, to claim more
  bool m_claiming = false;
};

}  // namespace robust_kbench
