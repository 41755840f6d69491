#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"
#include "check/case_choice.hpp"
#include "core/case.hpp"
#include "core/record.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

class ContentCache;
class LimitsCache;

struct ExamineOptions {
  WorkerOptions worker;     // program, cpus, threads, limits; the arena grows to a config's need
  std::uint64_t nonce = 0;  // keys the calls beside those with the case's own seed; 0: a secret one
  // The start of the command that replays a case: "rkb test --task T --direction D --kernel K". The
  // case's name and the nonce are appended. If empty, a failure does not say how to replay it.
  std::string replay_command;
  std::function<void(const CaseRecord&)> on_case;  // after each case
  // Judgements of passed cases tell what the kernel printed, too. worker.output_bytes limits the
  // amount.
  bool output_of_all = false;
  // The time limit for slow calls. Cases without time are left out (check/case_choice.hpp), and a
  // sequence ends sooner. Without a limit all are called.
  std::optional<SlowCallLimit> slow_calls = {};
  bool all_cases = false;       // call all even if many fail, see check/stop_rule.hpp
  bool require_shapes = false;  // a refusal (check/refusal.hpp) is an exception
  // The number of calls of the smallest config in a sequence (check/repeated_calls.hpp), and the
  // time limit for them.
  std::size_t repeated_calls = 6000;
  std::chrono::milliseconds repeated_calls_time{1000};
  // Shared with other kernels of the entry that have the same nonce. May be null.
  ContentCache* contents = nullptr;
  // Shared with other kernels of the entry. May be null.
  LimitsCache* limits = nullptr;
  // GPU only: examination_gpu_bytes() are claimed, and were free. Without a claim an examination
  // may lack memory, or take memory that others have claimed.
  bool memory_is_claimed = false;
};

// Examines one built kernel, case by case. Each case calls it at least three times in one worker.
// The first and third call have the case's content, at different addresses. The second has other
// content and weights. In one case of each config the inputs of the third call end at unmapped
// pages. So a read past their end is a crash.
//
// If a worker dies, only the current case fails, and the next case gets a new worker. Listed cases
// come first, the cheapest configs first among them. Cases after the end by the stop rule have no
// records, nor have those for which there was no time. Records have the order of `cases`.
std::vector<CaseRecord> examine(const Task& task, const Entry& entry, const std::string& library,
                                const std::vector<Case>& cases, const ExamineOptions& options);

// Calls a kernel's smallest config thousands of times, each time on content of its own. Then it
// calls all cases in the same worker in random order, 40 calls or more, and every combination of
// the task's choices. On a CPU it calls each config once more with another number of threads. A
// kernel that errs rarely fails here. So does one that chooses its answer by pointers, shapes,
// weights or a count of calls. Returns one record, named "sequence". If it passes, a reason says
// whether fewer calls than wanted fit into their time. `ends_early` tells whether the time for slow
// calls ended it.
CaseRecord examine_sequence(const Task& task, const Entry& entry, const std::string& library,
                            const std::vector<Case>& cases, const ExamineOptions& options,
                            bool* ends_early = nullptr);

}  // namespace robust_kbench
