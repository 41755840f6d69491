#include "check/memory_retry.hpp"

#include "device/gpu_patience.hpp"

namespace robust_kbench {

bool lacked_gpu_memory(const CaseRecord& record) {
  if (record.verdict == Verdict::pass || record.verdict == Verdict::wrong_result) return false;
  return record.verdict == Verdict::out_of_memory || tells_of_missing_gpu_memory(record.reason);
}

CaseRecord MemoryRetry::run(const std::function<CaseRecord(GpuLock::Use)>& examine) {
  CaseRecord record = examine(GpuLock::Use::test);
  if (!m_may_help || !lacked_gpu_memory(record)) return record;
  record = examine(GpuLock::Use::time);
  m_may_help = !lacked_gpu_memory(record);
  return record;
}

}  // namespace robust_kbench
