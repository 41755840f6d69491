#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace robust_kbench {

// Something that ran on a GPU.
struct CudaActivity {
  enum class Kind { kernel, copy, memset };

  Kind kind = Kind::kernel;
  std::string name;  // of a kernel, mangled; of a copy, from where to where: "host to device"
  std::uint64_t start_ns = 0;  // by the same clock as all others
  std::uint64_t end_ns = 0;
  std::uint64_t bytes = 0;  // that were copied or set

  [[nodiscard]] double microseconds() const {
    return 1e-3 * static_cast<double>(end_ns - start_ns);
  }
  bool operator==(const CudaActivity&) const = default;
};

// This process's work on the GPUs, as CUPTI records it. That needs no right to read the GPU's
// counters. Only one object may exist at a time, since CUPTI has one list per process.
class CudaActivities {
 public:
  // Begins to record, where CUPTI is available.
  CudaActivities();
  ~CudaActivities();
  CudaActivities(const CudaActivities&) = delete;
  CudaActivities& operator=(const CudaActivities&) = delete;

  // Why nothing is recorded, or empty where it is.
  [[nodiscard]] const std::string& missing() const { return m_missing; }

  // recorded() gives the activities that have ended since forget(), by their start. The GPU must be
  // idle.
  void forget();
  std::vector<CudaActivity> recorded();

 private:
  std::string m_missing;
};

}  // namespace robust_kbench
