#pragma once

#include <string>
#include <string_view>

#include "core/judgement.hpp"
#include "ipc/message.hpp"

namespace robust_kbench {

// The judgement of a worker that ended unasked during `request`, from its wait status. A SIGKILL
// that the broker did not send is attributed to the out-of-memory killer.
Judgement describe_end(int wait_status, std::string_view request, const std::string& output);

// True if the judgement says that the worker was killed by SIGKILL. Another process may have sent
// the signal, or taken the memory.
bool killed_for_memory(const Judgement& judgement);

// True if the judgement says that the worker was killed by an access to unmapped memory.
bool killed_by_access(const Judgement& judgement);

// A judgement whose reason says `what` the worker did last. If the output ends with the trace of a
// fault (runner/crash_trace.hpp), the reason has that, too. The rest is in the judgement's output.
Judgement worker_end(Verdict verdict, const std::string& what, const std::string& output);

// The output of a worker without the trace of a fault at its end.
std::string printed_before_trace(const std::string& output);

// The judgement for a worker's report that its `subject` failed.
Judgement judgement_of(const Failed& failed, const std::string& subject);

// The moment of a request in words, as "in the middle of a call" for `run`.
std::string_view moment_of(std::string_view request);

}  // namespace robust_kbench
