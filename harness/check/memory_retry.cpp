#include "check/memory_retry.hpp"

#include <exception>

#include "broker/worker_end.hpp"
#include "device/gpu_memory_wait.hpp"

namespace robust_kbench {

bool lacked_gpu_memory(const CaseRecord& record) {
  const Judgement& judgement = record.judgement;
  if (judgement.passes() || judgement.verdict == Verdict::wrong_result) return false;
  return judgement.verdict == Verdict::out_of_memory ||
         tells_of_missing_gpu_memory(with_output(judgement));
}

CaseRecord MemoryRetry::run(const std::function<CaseRecord(GpuLock::Use)>& examine) {
  CaseRecord record;
  try {
    record = examine(GpuLock::Use::shared);
    if (!m_may_help || !lacked_memory(record)) return record;
  } catch (const std::exception& error) {
    // In this case the harness itself lacked memory, for example for a reference.
    if (!tells_of_missing_gpu_memory(error.what())) throw;
  }
  record = examine(GpuLock::Use::exclusive);
  m_may_help = !lacked_memory(record);
  return record;
}

bool MemoryRetry::lacked_memory(const CaseRecord& record) const {
  return m_gpu ? lacked_gpu_memory(record) : killed_for_memory(record.judgement);
}

}  // namespace robust_kbench
