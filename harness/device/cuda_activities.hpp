#pragma once

#include <string>

namespace robust_kbench {

// What runs on the GPUs for this process, as CUPTI records it: kernels, copies, memsets. One object
// at a time, since CUPTI has one list per process.
class CudaActivities {
 public:
  struct Sum {
    double microseconds = 0;
    int count = 0;
  };

  // Begins to record, where CUPTI is.
  CudaActivities();
  ~CudaActivities();
  CudaActivities(const CudaActivities&) = delete;
  CudaActivities& operator=(const CudaActivities&) = delete;

  // Why nothing is recorded; empty where it is.
  [[nodiscard]] const std::string& missing() const { return m_missing; }

  // Of all that has ended since `forget`. The GPU must be idle.
  void forget();
  Sum sum();

 private:
  std::string m_missing;
};

}  // namespace robust_kbench
