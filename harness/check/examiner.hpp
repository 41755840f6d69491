#pragma once

#include <functional>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"
#include "core/case.hpp"
#include "core/record.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

class ContentCache;

struct ExamineOptions {
  WorkerOptions worker;  // program, cpus, threads, limits; the arena grows to what a config needs
  std::uint64_t nonce = 0;  // keys the calls between those of the case's own seed; 0: a secret one
  // Begins the command that replays a case: "rkb test --task T --direction D --kernel K". The
  // case's name and the nonce are added. Empty: a failure does not say how to replay it.
  std::string replay_command;
  std::function<void(const CaseRecord&)> on_case;  // after each case
  bool all_cases = false;  // call them however many fail, see check/stop_rule.hpp
  // Shared with other kernels of the entry that have the same nonce; may be none.
  ContentCache* contents = nullptr;
  // On a GPU: examination_gpu_bytes() are claimed, and were there. Who examines without may find no
  // memory there, or take what others have claimed.
  bool memory_is_claimed = false;
};

// Examines one built kernel, case by case: each case calls it at least three times in one worker:
// the case's content, other content and weights, the case's content again at other addresses.
// A worker that dies costs the case it died in; the next case gets a new one. The cheapest configs
// come first, and where the stop rule ends the run there are no records of the cases left. Records
// have the order of `cases`.
std::vector<CaseRecord> examine(const Task& task, const Entry& entry, const std::string& library,
                                const std::vector<Case>& cases, const ExamineOptions& options);

// All cases of a kernel in one worker in random order, 40 calls or more: what a kernel remembers
// (pointers, shapes, weights, a count of calls) fails here. One record, named "sequence".
CaseRecord examine_sequence(const Task& task, const Entry& entry, const std::string& library,
                            const std::vector<Case>& cases, const ExamineOptions& options);

}  // namespace robust_kbench
