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
  WorkerOptions worker;  // program, cpus, threads, limits; the arena grows to what a config needs
  std::uint64_t nonce = 0;  // keys the calls between those of the case's own seed; 0: a secret one
  // The start of the command that replays a case: "rkb test --task T --direction D --kernel K". The
  // case's name and the nonce are appended. If empty, a failure does not say how to replay it.
  std::string replay_command;
  std::function<void(const CaseRecord&)> on_case;  // after each case
  // Judgements of cases that passed tell what the kernel printed, too. worker.output_bytes says how
  // much of it.
  bool output_of_all = false;
  // How long calls may take that are slow. Cases without time are left out (check/case_choice.hpp),
  // and a sequence ends sooner. None: all are called, whatever they take.
  std::optional<SlowCallLimit> slow_calls = {};
  bool all_cases = false;       // call them however many fail, see check/stop_rule.hpp
  bool require_shapes = false;  // a refusal (check/refusal.hpp) is an exception
  // How often a sequence calls the smallest config (check/repeated_calls.hpp), and for how long at
  // most.
  std::size_t repeated_calls = 6000;
  std::chrono::milliseconds repeated_calls_time{1000};
  // Shared with other kernels of the entry that have the same nonce. May be null.
  ContentCache* contents = nullptr;
  // Shared with other kernels of the entry. May be null.
  LimitsCache* limits = nullptr;
  // GPU only: examination_gpu_bytes() are claimed, and were free. Without a claim an examination
  // may find no memory, or take what others have claimed.
  bool memory_is_claimed = false;
};

// Examines one built kernel, case by case. Each case calls it at least three times in one worker.
// The first and third call have the case's content, at different addresses. The second has other
// content and weights.
//
// A worker that dies costs the case it died in, and the next case gets a new worker. Listed cases
// come first, the cheapest configs first among them. If the stop rule ends the run, there are no
// records of the cases left, nor of those for which there was no time. Records have the order of
// `cases`.
std::vector<CaseRecord> examine(const Task& task, const Entry& entry, const std::string& library,
                                const std::vector<Case>& cases, const ExamineOptions& options);

// Calls a kernel's smallest config thousands of times, each time on content of its own. Then it
// calls all cases in the same worker in random order, 40 calls or more. A kernel that errs rarely
// fails here, and so does one that answers from memory of pointers, shapes, weights or a count of
// calls. Gives one record, named "sequence". If it passes, a reason says where fewer calls than
// wanted fit into their time. `ends_early` gets whether the time for slow calls ended it.
CaseRecord examine_sequence(const Task& task, const Entry& entry, const std::string& library,
                            const std::vector<Case>& cases, const ExamineOptions& options,
                            bool* ends_early = nullptr);

}  // namespace robust_kbench
