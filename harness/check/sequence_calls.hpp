#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/batch.hpp"
#include "check/call_checker.hpp"
#include "check/examiner.hpp"
#include "check/kernel_workers.hpp"
#include "check/precision_pool.hpp"
#include "check/refusal.hpp"
#include "check/sequence_steps.hpp"
#include "core/record.hpp"
#include "device/gpu_lock.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The calls of a sequence, one after another in the same worker as long as it lives.
class SequenceCalls {
 public:
  SequenceCalls(const Task& task, Direction direction, const ExamineOptions& options,
                KernelWorkers& workers, GpuLock::Use use);

  // The judgement of the last call that was refused.
  [[nodiscard]] const std::optional<Judgement>& last_refusal() const { return m_refusals.latest(); }

  // Whether a call with these parameters was right.
  [[nodiscard]] bool has_computed(const Params& params) const {
    return m_refusals.has_computed(params);
  }

  // Runs one call. Returns a finding about it, or nullopt.
  std::optional<Judgement> call(const Step& step, CaseRecord& record);

  // Whether the kernel is right where it is handed its inputs at `place`. The call belongs to no
  // record. A worker that fails here is killed.
  bool is_right_at(InputPlace place, const Case& called);

 private:
  // The content of a call and the limits of its outputs.
  struct Prepared {
    OutputLimits limits;
    std::shared_ptr<const Content> content;
  };
  // Ensures a worker. Returns a finding if there is none.
  std::optional<Judgement> prepare(const Step& step, CaseRecord& record, Prepared& prepared);
  std::optional<Judgement> call_in_share(const Step& step, CaseRecord& record);
  std::optional<Judgement> judge_precision(const Step& of, const CheckedCall& right,
                                           const std::vector<PrecisionLimits>& limits);
  std::shared_ptr<const Content> content_of(const Step& step, CaseRecord& record);
  // One batch for each config, which remembers the addresses of its last call.
  Batch& batch_of(const Config& config);

  const Task& m_task;
  Direction m_direction;
  const Contract& m_contract;
  const Device m_device;
  const bool m_require_shapes;
  KernelWorkers& m_workers;
  GpuLock::Use m_use;
  Refusals m_refusals;
  std::map<std::string, Batch> m_batches;  // by config
  PrecisionPools m_pools;
  int m_worker = 0;  // the process that m_batches belong to
};

}  // namespace robust_kbench
