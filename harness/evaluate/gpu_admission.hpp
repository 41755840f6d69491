#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>

#include "evaluate/tool_memory.hpp"
#include "tensor/gpu_claim.hpp"

namespace robust_kbench {

// GPU memory that a submission needs.
struct GpuDemand {
  std::size_t test_bytes = 0;  // for its cases, or for workers of other estimators
  std::size_t time_bytes = 0;  // for everything that is timed, which submissions share
};

// Admits submissions to the GPU. Their memory is claimed as a whole beforehand
// (tensor/gpu_claim.hpp), so no submission waits for memory while it holds some.
class GpuAdmission {
 public:
  using OnWait = MemoryClaim::OnWait;

  // At most `max_jobs` submissions test at a time, if there is memory for their demands.
  // `tool_bytes` stay unclaimed for profilers that inspect kernels beside them
  // (EvaluatorOptions::tool_bytes). `on_claim` is told how much of a new claim is for kept
  // references. `on_release` frees the references that were kept under the ending claim.
  GpuAdmission(int max_jobs, std::size_t tool_bytes,
               std::function<void(std::size_t cache_bytes)> on_claim,
               std::function<void()> on_release);

  // The place of an admitted submission, until the end of the scope.
  class Place {
   public:
    // False where more was claimed than the GPU has, so that the memory may be taken.
    [[nodiscard]] bool is_promise() const { return m_is_promise; }

    // Gives the memory for cases back, since a submission may wait long until it is timed.
    void end_tests() { m_tests.reset(); }

   private:
    friend GpuAdmission;
    Place(GpuAdmission& admission, std::size_t test_bytes);
    struct Leave {
      void operator()(GpuAdmission* admission) const { admission->leave(); }
    };
    struct LeaveTests {
      std::size_t test_bytes = 0;
      void operator()(GpuAdmission* admission) const { admission->leave_tests(test_bytes); }
    };
    std::unique_ptr<GpuAdmission, Leave> m_admission;
    std::unique_ptr<GpuAdmission, LeaveTests> m_tests;
    bool m_is_promise;
  };

  // Waits for a place, and for the memory. Throws Cancelled once `stop` is requested.
  Place enter(const GpuDemand& demand, const std::stop_token& stop, const OnWait& on_wait);

  // The part of the claim that is for sanitizers of admitted submissions.
  [[nodiscard]] ToolMemory& sanitizer_memory() { return m_sanitizer_memory; }

  // Gives the claim back if no submission is inside. The references kept under it must be freed
  // before.
  void rest();

 private:
  [[nodiscard]] bool fits(const GpuDemand& demand) const;
  // The caller holds `lock`, which is released during the wait.
  void claim(std::unique_lock<std::mutex>& lock, const GpuDemand& demand, const OnWait& on_wait);
  void leave();
  void leave_tests(std::size_t test_bytes);

  const int m_max_jobs;
  const std::size_t m_tool_bytes;
  const std::function<void(std::size_t)> m_on_claim;
  const std::function<void()> m_on_release;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::unique_ptr<GpuClaim> m_claim;
  GpuDemand m_claimed;  // for one submission's tests, and for all that is timed
  std::size_t m_free_test_bytes = 0;
  ToolMemory m_sanitizer_memory;
  int m_testing = 0;   // submissions that hold memory for tests
  int m_inside = 0;    // admitted submissions, in or after their tests
  int m_outgrown = 0;  // submissions that wait until nobody is inside, to claim more
  bool m_claiming = false;
};

}  // namespace robust_kbench
