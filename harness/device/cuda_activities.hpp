#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace robust_kbench {

// A kernel, copy or memset that ran on a GPU.
struct CudaActivity {
  enum class Kind { kernel, copy, memset };

  Kind kind = Kind::kernel;
  std::string name;            // a kernel's mangled name, or a copy's direction: "host to device"
  std::uint64_t start_ns = 0;  // by one clock for all activities
  std::uint64_t end_ns = 0;
  std::uint64_t bytes = 0;  // copied or set

  [[nodiscard]] double microseconds() const {
    return 1e-3 * static_cast<double>(end_ns - start_ns);
  }
  bool operator==(const CudaActivity&) const = default;
};

// This process's work on the GPUs, as CUPTI records it. This needs no permission to read the GPU's
// performance counters. Only one object may exist at a time, since CUPTI has one list per process.
class CudaActivities {
 public:
  // Begins to record if CUPTI is available.
  CudaActivities();
  ~CudaActivities();
  CudaActivities(const CudaActivities&) = delete;
  CudaActivities& operator=(const CudaActivities&) = delete;

  // The reason why nothing is recorded, or empty where CUPTI records.
  [[nodiscard]] const std::string& missing() const { return m_missing; }

  // recorded() gives the activities that have ended since forget(), ordered by start. The GPU must
  // be idle.
  void forget();
  std::vector<CudaActivity> recorded();

 private:
  std::string m_missing;
};

}  // namespace robust_kbench
