#pragma once

#include <string>
#include <string_view>

#include "core/judgement.hpp"
#include "ipc/message.hpp"

namespace robust_kbench {

// The judgement, from its wait status, of a worker that ended unasked in the middle of `request`. A
// SIGKILL that the broker did not send is taken for the system's out-of-memory killer.
Judgement describe_end(int wait_status, std::string_view request, const std::string& output);

// True if the judgement says that the worker was killed. Another process may have sent the signal,
// or taken the memory.
bool killed_for_memory(const Judgement& judgement);

// True if the judgement says that the worker was killed by an access to memory that is not there.
bool killed_by_access(const Judgement& judgement);

// A judgement that names `what` the worker did last, then the trace of its fault
// (runner/crash_trace.hpp) where its output ends with one. The rest of the output is beside the
// reason.
Judgement worker_end(Verdict verdict, const std::string& what, const std::string& output);

// What a worker printed, without the trace of a fault at its end.
std::string printed_before_trace(const std::string& output);

// The judgement of a worker's own report that `subject`, which it runs, failed.
Judgement judgement_of(const Failed& failed, const std::string& subject);

// "in the middle of a call", for request `run`.
std::string_view moment_of(std::string_view request);

}  // namespace robust_kbench
